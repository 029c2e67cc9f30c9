"""What does a building rule do to the game? Everything that a notebook needs is here, and is loaded when it is used.

    from analysis import charts, compare, rows

    found = compare("farmhouse", rules=["storming", "my-house-rule.toml"])
    charts.end_chart(rows.end_rows(found))

`help(compare)` explains one of them, with an example. Questions take scenarios and rules by name, your own by the path
of their file. What goes step by step (`Question`, `Course`, `baseline`) takes what `load_scenario` and `rule_set` read.
Of several sets of rules each has an answer of its own. Many questions take these:

    scenario        the name of a scenario, the path of your own, or, mostly, one that `load_scenario` has changed
    rules           rule sets by name and house rules by the path of their file, in a list or with commas between
    plans           what both sides mean to do, such as ("smoke", "hold"); the scenario's own plans if not given
    how             a `How`: how it is computed; exactly where that is possible, if not given
    known           a `Played`: what has been played already; new answers are added
    workers         processes that play
    progress        ``progress(done, of)``, which is called now and then

Compare rules
    compare         one assault under several sets of rules, side by side
    versus          two sets of rules on one scenario, or two scenarios under one, on the same dice
    load_scenario   an assault, with some of its values changed
    rule_set        one set of rules, or a house rule; `rule_sets_of` reads several
    point           one assault under one set of rules, with some values changed
    How             how it is computed: exactly, or over so many throws of the dice
    Played          what has been played, so that nothing is played twice; `open_store` keeps it in a file
    Plans           what both sides mean to do

Vary things
    sweep           an assault at all combinations of some values, as a pandas frame
    sensitivity     what matters most: each number by one step, or factors over ranges
    factor, design, answers
                    the same as a sweep in three steps, for charts of several factors
    paired          two points on common dice, trial by trial
    plane, contours the lines on which a chance is met, over two factors

Decide on a house rule
    receipt         what a house rule does to a suite of assaults
    games           scenarios under all pairs of plans, for a receipt
    shares, weigh   which part of a change does what in a receipt; what it is worth in models
    explain         what each value is worth, or each key of a house rule
    solve           the value of a number at which a chance is met
    baseline, write_baseline, load_baseline
                    what a set of rules answers, to be kept; `Margin` says how far an answer may move
    check, baseline_summary, exit_code
                    what has changed since; the same in words, and as the command says it

Best play
    best            what an assault is worth to good players, and when they change their plans
    position        what a game in the middle is worth
    Question, objective, contest_and_solution, best_of_solution, verdict
                    the same in steps: what is asked, what the attackers want, all that best play knows, what there is
                    to say of it, and that in short

Look things up
    odds            any dice, and any clause of the rule books
    wilson          between which chances some successes in a number of trials leave a chance

Play one game
    play            one assault, roll by roll
    Course          the chances of each end at every step of it

Draw and show
    charts          every chart, such as `charts.end_chart`; it takes rows
    rows            what charts draw, from answers: `rows.end_rows(found)`
    show            prints an answer as its command does
    Panel           sliders over an assault and the numbers of its rules
"""

from analysis.lazy import lazy

TYPE_CHECKING = False  # as in `typing`, which takes longer to load than all of this
if TYPE_CHECKING:
    from analysis import charts, rows
    from analysis.best_play.best import Question, best, best_of_solution, contest_and_solution
    from analysis.best_play.objective import objective
    from analysis.best_play.words import in_short as verdict
    from analysis.comparing.compare import compare
    from analysis.deciding.baseline import Margin, check
    from analysis.deciding.baseline import baseline_of as baseline
    from analysis.deciding.baseline import code as exit_code
    from analysis.deciding.baseline_file import load as load_baseline
    from analysis.deciding.baseline_file import write as write_baseline
    from analysis.deciding.baseline_words import summary as baseline_summary
    from analysis.deciding.explain import explain
    from analysis.deciding.receipt import receipt, shares, weigh
    from analysis.deciding.solve import solve
    from analysis.deciding.versus import versus
    from analysis.explorer import Panel
    from analysis.library.odds import odds
    from analysis.points.intervals import wilson
    from analysis.points.paired import paired
    from analysis.points.plans import Plans
    from analysis.points.point import How, Played, point
    from analysis.points.store import open_store
    from analysis.points.suite import under_all_plans as games
    from analysis.printing import show
    from analysis.sweeps.contours import contours, plane
    from analysis.sweeps.design import design, factor
    from analysis.sweeps.sensitivity import sensitivity
    from analysis.sweeps.sweep import answers, sweep
    from analysis.told.chances import Course
    from analysis.told.position_file import position
    from analysis.told.replay import play
    from sims.rulesets import rule_set, rule_sets_of
    from sims.scenario import load_scenario

    __all__ = [  # for type checkers, which do not run what is below
        "Course",
        "How",
        "Margin",
        "Panel",
        "Plans",
        "Played",
        "Question",
        "answers",
        "baseline",
        "baseline_summary",
        "best",
        "best_of_solution",
        "charts",
        "check",
        "compare",
        "contest_and_solution",
        "contours",
        "design",
        "exit_code",
        "explain",
        "factor",
        "games",
        "load_baseline",
        "load_scenario",
        "objective",
        "odds",
        "open_store",
        "paired",
        "plane",
        "play",
        "point",
        "position",
        "receipt",
        "rows",
        "rule_set",
        "rule_sets_of",
        "sensitivity",
        "shares",
        "show",
        "solve",
        "sweep",
        "verdict",
        "versus",
        "weigh",
        "wilson",
        "write_baseline",
    ]

else:
    __getattr__, __dir__ = lazy(__name__)
