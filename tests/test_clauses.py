"""Every check of the rule catalogue, asked as ``casemate odds`` asks; and the status that follows from them."""

import shutil
import tomllib
from collections import defaultdict
from fractions import Fraction
from hashlib import blake2b
from typing import Any

import pytest

from sims.answers import Answer
from sims.clauses import Clause, clauses, only_asked, status
from tests.checks import CHECKS, FILES, ask
from tests.conftest import ROOT
from tests.played import measured
from tests.status import citations, cited, compute_status, examples_text, marks, status_text, unlike_the_list

CATALOGUE = ROOT.parent / "shared/rules/catalogue"


def equals(answer: Answer, expect: str) -> bool:
    """Compare an answer with the catalogue's text, without rounding."""
    match answer:
        case bool():
            return expect in (("yes", "1") if answer else ("no", "0"))
        case Fraction() | int():
            return answer == Fraction(expect)
        case frozenset() | list():
            items = map(str, answer if isinstance(answer, list) else sorted(answer))
            return "{" + ",".join(items) + "}" == expect.replace(" ", "")
    return answer == expect


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: f"{check['clause']}: {check['given']}")
def test_check(check):
    answer = ask(check)
    assert equals(answer, check["expect"]), f"{answer} is not {check['expect']}"


@pytest.mark.parametrize(
    ("answer", "expect", "equal"),
    [
        (Fraction(1, 3), "1/3", True),
        (Fraction(1, 3), "1/4", False),
        (Fraction(2), "2", True),
        (2, "2", True),
        (True, "1", True),
        (True, "yes", True),
        (True, "no", False),
        (False, "0", True),
        (False, "1", False),
        (frozenset({"A2", "A1"}), "{A1, A2}", True),
        (frozenset({"A1"}), "{A1,A2}", False),
        ("claimed by A", "claimed by A", True),
        ("claimed by A", "claimed by B", False),
    ],
)
def test_answers_are_compared_exactly(answer, expect, equal):
    assert equals(answer, expect) is equal


def digest(checks: list[tuple[str, str]]) -> str:
    """What the index of clauses keeps of a clause's checks: no expected value changes unseen."""
    text = "\n".join(sorted(f"{given} => {expect}" for given, expect in checks))
    return blake2b(text.encode(), digest_size=6).hexdigest()


def unlike(index: dict[str, Clause], checks: list[dict[str, Any]]) -> list[str]:
    """What the index should say of clauses all of whose checks are asserted, where it does not."""
    ours = defaultdict(list)
    for check in checks:
        ours[check["clause"]].append((check["given"], check["expect"]))
    whole = {id: (len(mine), digest(mine)) for id, mine in ours.items() if len(mine) >= index[id].checks}
    return [
        f'id = "{id}" wants: checks = {number}, digest = "{expected}"'
        for id, (number, expected) in whole.items()
        if (number, expected) != (index[id].checks, index[id].digest)
    ]


def test_checks_of_done_clauses_are_those_of_the_index():
    wrong = unlike(clauses(), CHECKS)
    assert not wrong, "\n".join(["not what sims/data/clauses says:", *wrong])


def test_what_the_index_should_say_is_told():
    """Of a clause of one's own, whose checks are not counted yet; and of one with a check that was changed."""
    own = Clause(id="OWN-001", title="", section="", kind="", scope="", rule="")
    checks = [{"clause": "OWN-001", "given": "1", "expect": "2"}, {"clause": "OWN-001", "given": "3", "expect": "4"}]
    told = f'id = "OWN-001" wants: checks = 2, digest = "{digest([("1", "2"), ("3", "4")])}"'
    assert unlike({"OWN-001": own}, checks) == [told]
    assert unlike({"OWN-001": own.model_copy(update={"checks": 3})}, checks) == []
    assert unlike({"OWN-001": own.model_copy(update={"checks": 2, "digest": "0"})}, checks) == [told]


@pytest.mark.skipif(not CATALOGUE.is_dir(), reason="the rule catalogue is not beside this checkout")
def test_the_index_has_the_checks_of_the_catalogue():
    rules = [rule for file in CATALOGUE.glob("*.toml") for rule in tomllib.loads(file.read_text("utf-8"))["rule"]]
    theirs = {r["id"]: digest([(c["given"], c["expect"]) for c in r["checks"]]) for r in rules if r.get("checks")}
    ours = {id: clauses()[id].digest for id in theirs if id in clauses()}
    assert theirs == ours


def test_each_file_checks_its_own_document():
    for file in FILES:
        data = tomllib.loads(file.read_text("utf-8"))
        assert data["document"] == file.stem
        assert {check["clause"] for check in data["check"]} <= clauses().keys()


def test_committed_status_is_what_code_and_tests_say():
    committed = {id: {"done": [*found.done], "partial": [*found.partial]} for id, found in status().items()}
    assert committed == compute_status(ROOT), "run 'make clauses'"


def test_committed_examples_are_those_of_the_checks():
    assert (ROOT / "sims/data/examples.toml").read_text("utf-8") == examples_text(), "run 'make clauses'"


@pytest.mark.slow
def test_committed_status_says_what_is_played(some):
    """The short form: each plan of the attackers by each book, and every scenario under every pair of plans, somewhere.

    If that says otherwise, all assaults decide.
    """
    committed = (ROOT / "sims/data/status.toml").read_text("utf-8")

    def few(games):
        return some(games, lambda game: (game.book, game.plan), lambda game: game[1:])

    assert any(committed == status_text(ROOT, measured(choose=choose)) for choose in (few, list)), "run 'make clauses'"


def test_what_is_only_asked_is_listed_with_its_reason():
    assert unlike_the_list() == []
    kinds = {"a calculator", "a kernel that no stage uses", "a place that no scenario has"}
    assert {why.split(":")[0] for why in only_asked().values()} <= kinds


def test_every_cited_clause_exists():
    assert set().union(*cited(ROOT)) <= clauses().keys()


def test_citations_are_read_from_docstrings_alone():
    code = '''
"""A module about {0}-001."""
FACE = 6
"""A constant for {0}-002."""
def rule():
    """Do it ({0}-003; partly
    {0}-004)."""
    raise ValueError("expected an id such as {0}-005")  # nor {0}-006
'''.replace("{0}", "ARAP")
    assert citations(code) == ({"ARAP-001", "ARAP-002", "ARAP-003"}, {"ARAP-004"})


def test_marks_are_read_from_calls_alone():
    code = '''
@pytest.mark.clause("ST-001", "ST-002")
def test_it():
    """Not pytest.mark.clause("ST-003")."""
    text = 'pytest.mark.clause("ST-004")'
'''
    assert marks(code) == {"ST-001", "ST-002"}


@pytest.fixture
def checkout(tmp_path):
    """A checkout that cites, checks and marks a few clauses."""
    (tmp_path / "sims/games").mkdir(parents=True)
    (tmp_path / "tests/clauses").mkdir(parents=True)

    def write(code: str, checks: dict[str, int], tests: str = "") -> dict[str, list[str]]:
        (tmp_path / "sims/games/rules.py").write_text(code)
        (tmp_path / "tests/test_rules.py").write_text(tests)
        lines = [f'[[check]]\nclause = "{id}"\n' for id, number in checks.items() for _ in range(number)]
        (tmp_path / "tests/clauses/gemini-arap.toml").write_text('document = "gemini-arap"\n' + "".join(lines))
        if not checks:
            (tmp_path / "tests/clauses/gemini-arap.toml").unlink()
        return compute_status(tmp_path)["gemini-arap"]

    return write


def test_a_clause_is_done_when_cited_and_all_its_checks_are_asserted(checkout):
    needed = clauses()["ARAP-007"].checks
    assert "ARAP-007" in checkout('"""ARAP-007."""', {"ARAP-007": needed})["done"]
    assert "ARAP-007" in checkout('"""ARAP-007."""', {"ARAP-007": needed - 1})["partial"]
    assert "ARAP-007" in checkout('"""ARAP-007."""', {})["partial"]


def test_one_partial_citation_keeps_a_clause_partial(checkout):
    needed = clauses()["ARAP-007"].checks
    found = checkout('"""ARAP-007."""\ndef f():\n    """Partly done: partly ARAP-007."""', {"ARAP-007": needed})
    assert "ARAP-007" not in found["done"]
    assert "ARAP-007" in found["partial"]


def test_a_clause_that_is_not_cited_is_missing(checkout):
    found = checkout("", {"ARAP-007": clauses()["ARAP-007"].checks})
    assert "ARAP-007" not in found["done"] + found["partial"]


def test_a_clause_without_checks_is_done_by_a_marked_test(checkout):
    assert clauses()["ARAP-013"].checks == 0
    assert "ARAP-013" in checkout('"""ARAP-013."""', {}, '@pytest.mark.clause("ARAP-013")\ndef test(): ...')["done"]
    assert "ARAP-013" in checkout('"""ARAP-013."""', {}, "def test(): ...")["partial"]


def test_a_citation_decides_only_in_the_package_that_owns_the_document(checkout, tmp_path):
    """A document is the base game's whose tables name it, and a rule set's only if no base game's do."""

    def put(package: str, documents: str, code: str) -> None:
        (tmp_path / "sims" / package).mkdir(parents=True, exist_ok=True)
        (tmp_path / "sims" / package / "tables.toml").write_text(f"[ruleset]\ndocuments = [{documents}]\n")
        (tmp_path / "sims" / package / "rules.py").write_text(code)

    checks, arap = {"ARAP-007": clauses()["ARAP-007"].checks}, '"gemini-arap"'
    put("rulesets/fifth", "", '"""It leans on a part of it (partly ARAP-007)."""')
    assert "ARAP-007" in checkout('"""ARAP-007."""', checks)["done"]
    put("rulesets/fifth", arap, '"""It plays a part of it (partly ARAP-007)."""')
    assert "ARAP-007" in checkout('"""ARAP-007."""', checks)["partial"]
    put("games/arap", arap, '"""ARAP-007."""')
    assert "ARAP-007" in checkout("", checks)["done"]
    put("rulesets/fifth", arap, '"""ARAP-007."""')
    put("games/arap", arap, "")
    assert "ARAP-007" in checkout("", checks)["partial"]


def test_a_copy_of_the_template_changes_no_status_whatever_it_leans_on(tmp_path):
    shutil.copytree(ROOT / "sims", tmp_path / "sims", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(tmp_path / "sims/rulesets/_template", tmp_path / "sims/rulesets/copied")
    (tmp_path / "tests").symlink_to(ROOT / "tests")
    with (tmp_path / "sims/rulesets/copied/rules.py").open("a") as rules:
        rules.write('"""It leans on a part of the base rules (partly BASE-047)."""\n')
    copied = compute_status(tmp_path)
    assert "BASE-047" in copied["base-rules"]["done"]
    assert {id: copied[id] for id in compute_status(ROOT)} == compute_status(ROOT)


def test_notes_are_done_without_code(checkout):
    assert clauses()["ARAP-001"].scope == "note"
    assert "ARAP-001" in checkout("", {})["done"]
