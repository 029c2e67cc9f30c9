"""Which tests are run by one process."""

import pytest

from tests.conftest import shared_by

FILE = "tests/rulesets/test_gemini_floors.py"
JUDGED, POSITIONS = "tests/rulesets/test_every_stage_is_judged.py", "tests/rulesets/test_positions.py"


@pytest.mark.parametrize(
    ("nodeid", "group"),
    [
        (f"{FILE}::test_those_inside_are_noted_by_section[spread-4]", "gemini"),
        (f"{JUDGED}::test_every_stage_is_judged[gw_updated]", "gw_updated"),
        (f"{POSITIONS}::test_a_position_is_worth_what_brute_force_says[storming-a bunker]", "storming"),
        (f"{JUDGED}::test_what_is_played_and_judged_is_noticed", "test_every_stage_is_judged"),
        ("tests/analysis/test_tables.py::test_no_table_breaks[60]", "test_tables"),
        ("tests/rulesets/test_best_play.py::test_best_play_is_what_brute_force_finds[gemini]", "test_best_play"),
        (
            "tests/test_notebooks.py::test_a_notebook_runs[01-dice]",
            "tests/test_notebooks.py::test_a_notebook_runs[01-dice]",
        ),
    ],
)
def test_who_shares_a_file_or_judged_cases_is_run_by_one_process(nodeid: str, group: str) -> None:
    assert shared_by(nodeid) == group
