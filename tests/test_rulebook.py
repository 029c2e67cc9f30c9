"""Rule books: house rules lie over their base, and what does not fit is refused."""

import re

import pytest

from sims.dice import PMF
from sims.errors import CasemateError
from sims.rulesets import rule_set, rule_set_ids

GOOD = 'base = "storming"\ntitle = "Bigger teams"\n\n[tables.fireteam]\nslots = 6\n\n[rulings]\ncharge_bonus = "no"\n'


@pytest.fixture
def house(tmp_path):
    def write(text: str):
        path = tmp_path / "mine.toml"
        path.write_text(text)
        return rule_set(str(path))

    return write


def test_a_house_rule_overrides_values_and_rulings(house):
    rules = house(GOOD)
    assert (rules.id, rules.title, rules.base) == ("mine", "Bigger teams", "storming")
    assert rules.book.tables.fireteam.slots == 6
    assert rules.book.rulings.charge_bonus("no")
    assert rule_set("storming").book.tables.fireteam.slots == 5


def test_what_a_house_rule_changes_is_listed(house):
    assert house(GOOD).changes() == {"tables.fireteam.slots": (5, 6), "rulings.charge_bonus": ("yes", "no")}


def test_a_house_rule_may_reach_into_the_base_game(house):
    rules = house('base = "storming"\ntitle = "Slow"\n[tables.movement]\nmove = 4\n')
    assert rules.book.game.tables.movement.move == 4


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (GOOD.replace("storming", "storning.toml"), "line 1: base: there is no file"),
        (GOOD.replace("storming", "storning"), 'line 1: base: unknown rule set "storning"; did you mean "storming"?'),
        (GOOD.replace("tables.fireteam", "tables.fireteem"), 'line 4: tables.fireteem: unknown table; did you mean "fireteam"?'),
        (GOOD.replace("slots = 6", "slot = 6"), 'line 5: tables.fireteam.slot: unknown key; did you mean "slots"?'),
        (GOOD.replace("slots = 6", "slots = 'six'"), "line 5: tables.fireteam.slots: expected a whole number, got 'six'"),
        (GOOD.replace("slots = 6", "slots = -1"), "line 5: tables.fireteam.slots: expected greater than or equal to 1, got -1"),
        (GOOD.replace("slots = 6", "slots = nan"), "line 5: tables.fireteam.slots: expected"),
        (GOOD.replace("charge_bonus", "charge_bonsu"), 'line 8: rulings.charge_bonsu: unknown ruling; did you mean "charge_bonus"?'),
        (GOOD.replace('"no"', '"nope"'), 'line 8: rulings.charge_bonus: no option "nope"; did you mean "no"?'),
        (GOOD.replace("title", "tilte"), 'line 2: tilte: unknown key; did you mean "title"?'),
        (GOOD.replace("[tables.fireteam]\nslots = 6", "tables = 6"), "line 4: tables: expected a table, got 6"),
        (GOOD.replace('[rulings]\ncharge_bonus = "no"', "rulings = 6").replace("[tables.fireteam]\nslots = 6", ""), "rulings: expected a table, got 6"),
        (GOOD.replace('"no"', "[1]"), "line 8: rulings.charge_bonus: no option"),
        (GOOD.replace("tables.fireteam", "tables.fireteam.slots.x"), "tables.fireteam.slots"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_refused(house, text, said):
    with pytest.raises(CasemateError) as error:
        house(text)
    assert "mine.toml" in str(error.value)
    assert said in str(error.value)


DICE = 'base = "storming"\ntitle = "More hits"\n\n[tables.grenade]\nhits = "D6"\n'


def test_all_mistakes_of_a_house_rule_are_said_at_once(house):
    """In its head, in names of tables, keys and rulings, and in values; those that fit are not in the way."""
    text = (
        'base = "storming"\ncolour = "red"\n[tables.fireteem]\nslots = 6\n[tables.fireteam]\nslot = 6\nslots = "x"\n'
        '[tables.grenade]\nS = 99\nhits = "D6"\n[rulings]\ncharge_bonsu = "no"\nsecond_round = "perhaps"\n'
    )
    with pytest.raises(CasemateError) as error:
        house(text)
    told = sorted(str(error.value).splitlines(), key=lambda line: int(re.search(r"line (\d+)", line)[1]))
    expected = ["colour", "tables.fireteem", "tables.fireteam.slot", "tables.fireteam.slots"]
    expected += ["tables.grenade.S", "rulings.charge_bonsu", "rulings.second_round"]
    assert [line.split(": ")[1] for line in told] == expected
    with pytest.raises(CasemateError) as error:
        house('base = "stroming"\ntitle = 3\n')
    assert [line.split(": ")[1] for line in str(error.value).splitlines()] == ["title", "base"]


def test_a_house_rule_without_a_title_is_called_by_its_file(house):
    assert house(GOOD.replace('title = "Bigger teams"\n', "")).title == "mine"


def test_a_house_rule_may_name_other_dice(house):
    rules = house(DICE)
    assert rules.book.tables.grenade.hits.pmf == PMF.die(6)
    assert rules.changes() == {"tables.grenade.hits": ("D3", "D6")}
    assert house(DICE.replace('"D6"', "2")).book.tables.grenade.hits.pmf == PMF.constant(2)


@pytest.mark.parametrize("dice", ['"D7"', '"7D6"', '"D6-2"', '"61"', '""', "-1", "61"])
def test_dice_that_cannot_be_thrown_are_refused(house, dice):
    with pytest.raises(CasemateError) as error:
        house(DICE.replace('"D6"', dice))
    wanted = (
        "mine.toml, line 5: tables.grenade.hits: expected dice such as D3, 2D6, D6+1 or R3D6P2 up, at most 6 of them"
    )
    assert wanted in str(error.value)
    assert str(error.value).count("\n") == 0


@pytest.mark.parametrize("dice", ["true", "1.5", "[1]"])
def test_what_is_no_text_and_no_number_is_not_dice(house, dice):
    with pytest.raises(
        CasemateError, match=r'line 5: tables.grenade.hits: expected dice as text, such as "D3" or "2D6"'
    ):
        house(DICE.replace('"D6"', dice))


def test_a_die_whose_face_matters_is_one_d6(house):
    text = 'base = "storming"\ntitle = "Halls"\n[tables.capacity]\ndice = "2D6"\n'
    with pytest.raises(
        CasemateError, match=r"line 4: tables\.capacity\.dice: expected a die that is read off a single D6"
    ):
        house(text)


@pytest.mark.parametrize(("base", "other"), [("storming", "snap_shots"), ("gw_updated", "vehicle_damage")])
def test_a_table_of_the_other_edition_is_unknown(house, base, other):
    with pytest.raises(CasemateError, match=rf"line 3: tables\.{other}: unknown table"):
        house(f'base = "{base}"\ntitle = "x"\n[tables.{other}]\nBS = 3\n')


def test_a_table_is_named_once_in_a_book_and_its_game(rules):
    book = rule_set(rules).book
    if game := getattr(book, "game", None):
        assert not {*type(book.tables).model_fields} & {*type(game.tables).model_fields}
        assert not {*type(book.rulings).model_fields} & {*type(game.rulings).model_fields}


def test_an_unknown_rule_set_names_the_nearest():
    with pytest.raises(CasemateError, match='did you mean "storming"'):
        rule_set("storm")


def test_rule_sets_are_found_by_their_folders():
    assert "storming" in rule_set_ids()
    assert not [id for id in rule_set_ids() if id.startswith("_")]


def test_a_ruling_knows_its_options_only():
    ruling = rule_set("storming").book.rulings.charge_bonus
    with pytest.raises(KeyError):
        ruling("perhaps")


def test_a_mistake_in_a_number_of_the_base_game_is_told_where_it_stands(tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text('base = "storming"\ntitle = "Mine"\n[tables.access]\nfrom_enemy = "1"\n')
    with pytest.raises(CasemateError, match=r"mine.toml, line 4: tables.access.from_enemy: expected a whole number"):
        rule_set(str(file))


def test_house_rules_stack_and_each_says_what_it_changes_in_its_own_base(tmp_path):
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "teams.toml").write_text(GOOD)
    (tmp_path / "mine.toml").write_text('base = "below/teams.toml"\n[tables.fireteam]\nslots = 7\n')
    rules = rule_set(str(tmp_path / "mine.toml"))
    assert (rules.base, rules.made_from.id, rules.made_from.made_from.id) == ("storming", "teams", "storming")
    assert rules.changes() == {"tables.fireteam.slots": (6, 7)}
    assert rules.book.rulings.charge_bonus("no")


def test_a_house_rule_cannot_be_its_own_base(tmp_path):
    (tmp_path / "one.toml").write_text('base = "two.toml"\n')
    (tmp_path / "two.toml").write_text('title = "Two"\nbase = "one.toml"\n')
    with pytest.raises(
        CasemateError, match=r'two\.toml, line 2: base: "one\.toml" is made from this house rule itself'
    ):
        rule_set(str(tmp_path / "one.toml"))


def test_rulings_alone_are_a_house_rule(house):
    assert house('base = "storming"\n[rulings]\ncharge_bonus = "no"\n').changes() == {
        "rulings.charge_bonus": ("yes", "no")
    }


def test_the_leaves_of_a_book_are_what_a_house_rule_may_write(rules):
    book = type(rule_set(rules).book).load()
    leaves = book.leaves()
    assert book.with_values(leaves) == book
    assert {name for name, _ in book.all_rulings()} == {
        key.removeprefix("rulings.") for key in leaves if key.startswith("rulings.")
    }
    tables = [each.tables for each in (book, getattr(book, "game", None)) if each is not None]
    assert {name for table in tables for name in type(table).model_fields} == {
        key.split(".")[1] for key in leaves if key.startswith("tables.")
    }


def test_some_values_of_a_book_are_changed_and_checked():
    book = rule_set("storming").book
    assert book.with_values({"tables.fireteam.slots": 6, "rulings.charge_bonus": "no"}).leaves() == {
        **book.leaves(), "tables.fireteam.slots": 6, "rulings.charge_bonus": "no"
    }  # fmt: skip
    for wrong, said in (
        ({"tables.fireteam.slot": 6}, 'tables.fireteam.slot: unknown key; did you mean "slots"?'),
        ({"tables.fireteam.slots": 0}, "tables.fireteam.slots: expected greater than or equal to 1, got 0"),
        ({"rulings.charge_bonus": "nay"}, 'rulings.charge_bonus: no option "nay"'),
    ):
        with pytest.raises(CasemateError, match=re.escape(said)):
            book.with_values(wrong)


@pytest.mark.parametrize("value", [201, -201, [2, 3, 4, 201, 6, 6, 7]])
def test_a_number_that_no_game_has_is_refused(value):
    key = "tables.to_wound.needs" if isinstance(value, list) else "tables.attacks.charging"
    with pytest.raises(CasemateError, match=r"expected a number from -200 to 200, got -?201"):
        rule_set("storming").with_values({key: value})
