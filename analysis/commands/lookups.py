"""The commands that look something up: odds, rules, scenarios."""

from typing import Annotated

from cyclopts import Parameter

from analysis.commands.base import Json, app, print_json, progress_bar


@app.command(help_flags=[])
def odds(
    clause: str | None = None,
    /,
    *given: str,
    ask: str | None = None,
    rules: str | None = None,
    as_json: Json = False,
    notation: Annotated[bool, Parameter(negative=())] = False,
    explain: Annotated[bool, Parameter(name=["--help", "-h"], negative=())] = False,
) -> None:
    """Ask a clause or any dice for its exact odds: as a fraction, a decimal, a distribution.

    Without a clause it lists everything that can be asked. Examples:

    - `casemate odds "R3D6P2 up"`
    - `casemate odds 2D6-4 --ask "P(>=5)"`
    - `casemate odds ARAP-015 --help`
    - `casemate odds ARAP-015 name=value --json`
    - `casemate odds ST-030 n=3 T=4 building_class=stronghold --rules my-house-rule.toml`

    Parameters
    ----------
    clause
        The id of a clause, the name of a question, such as wound-roll, or dice as players write them, in quotes.
    given
        Inputs, each as name=value; rulings are switched in the same way. Capitals do not matter.
    ask
        What to ask of a distribution: "mean", "P(>=15)" and the like.
    rules
        The file of a house rule, to be asked in place of the book as it stands.
    as_json
        Print JSON.
    notation
        Show how dice are written.
    explain
        List the inputs of a clause with what each takes, its rulings and their options, and what it says.
    """
    if explain and clause is None:
        return app.help_print(["odds"])
    from analysis import odds as asking

    if notation:
        return print_json(asking.notation_as_data()) if as_json else asking.show_notation()
    if clause is None:
        return asking.show_questions()
    if explain:
        return asking.show_help(clause)
    from sims.rulesets import rule_set

    with progress_bar() as tell:
        asked = asking.ask(clause, given, ask, rule_set(rules) if rules else None, tell)
    return print_json(asked.data()) if as_json else asking.show(asked)


@app.command
def rules(name: str | None = None, /, *, as_json: Json = False) -> None:
    """List the rule sets and how many of their clauses are modelled; or show one rule set, document or clause.

    For example:

    - `casemate rules`
    - `casemate rules storming`
    - `casemate rules ST-030`

    Parameters
    ----------
    name
        A rule set, the file of a house rule, a document, or the id of a clause.
    as_json
        Print JSON.
    """
    from analysis import catalogue

    if as_json:
        return print_json(catalogue.described(name) if name else catalogue.coverage())
    return catalogue.show(name) if name else catalogue.show_all()


@app.command
def scenarios(name: str | None = None, /, *, as_json: Json = False) -> None:
    """List the scenarios, and the units, weapons and buildings that a scenario file may name; or show one scenario.

    For example:

    - `casemate scenarios`
    - `casemate scenarios farmhouse`

    Parameters
    ----------
    name
        One of those listed, or the file of your own.
    as_json
        Print JSON.
    """
    from analysis import shelf

    if as_json:
        return print_json(shelf.described(name) if name else shelf.as_data())
    return shelf.show_one(name) if name else shelf.show()
