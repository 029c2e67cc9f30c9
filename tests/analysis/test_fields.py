"""What stands in a state, by the words of the log."""

from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np

from analysis.told.fields import fields, with_given
from sims.assault import Assault
from sims.dice import Ints
from sims.state import State, code, count, counts, number, record


@dataclass(frozen=True)
class Tent(State):
    holes: Ints


@dataclass(frozen=True, kw_only=True)
class Camp(State):
    """Three states of a camp: two packs of wolves, and who is ahead."""

    wolves: tuple[Ints, ...]
    hunters: Ints = count("defenders")
    inches: Ints = count("inches to the building")
    lead: Ints = number("wolves ahead by {}", "hunters ahead: {}")
    place: Ints = code({1: "by the fire", 2: "in the wood"})
    traps: tuple[Ints, ...] = counts("traps")
    nets: tuple[Ints, ...] = counts("nets")
    sentries: tuple[Ints, ...] = counts("sentries at the {part}")
    tent: Tent = record(holes=("holes: {}",))
    unsaid: Ints = count()


CAMP = Camp(
    wolves=(np.array([1, 2, 0]), np.array([3, 3, 3]), np.array([4, 0, 4])),
    hunters=np.array([5, 6, 7]),
    inches=np.array([9]),
    lead=np.array([-2, 0, 3]),
    place=np.array([0, 1, 2]),
    traps=(np.array([1, 1, 2]), np.array([2])),
    nets=(),
    sentries=(np.array([0, 1, 2]), np.array([3])),
    tent=Tent(np.array([0, 4, 0])),
    unsaid=np.array([1, 2, 3]),
)


def side(*titles: str) -> SimpleNamespace:
    return SimpleNamespace(groups=[SimpleNamespace(title=title) for title in titles])


def told(scene: SimpleNamespace) -> Assault:
    """An assault on the camp, of which only the words of its start are used."""
    names = {"sentries": ("path", "gate")}
    return Assault(
        "camp", scene, CAMP, turn=(), limit=1, end=lambda *_: CAMP.lead, outcome=lambda *_: None, parts=names
    )


def test_what_stands_in_states_has_the_words_of_the_log():
    """A side of one group is that group; groups of one name are counted; a sign has two, a part its name."""
    scenario = SimpleNamespace(attackers=side("Wolf", "Cub", "Wolf"), defenders=side("Hunter"))
    standing = {"attackers": CAMP.wolves, "defenders": (CAMP.hunters,)}
    scene = SimpleNamespace(scenario=scenario, standing=lambda state, who: standing[who])
    found = fields(told(scene), CAMP)
    assert {word: of.tolist() for word, of in found.items()} == {
        "attackers": [8, 5, 7],
        "attackers: Wolf (1)": [1, 2, 0],
        "attackers: Cub": [3, 3, 3],
        "attackers: Wolf (2)": [4, 0, 4],
        "defenders": [5, 6, 7],
        "distance": [9, 9, 9],
        "wolves ahead by": [0, 0, 3],
        "hunters ahead": [2, 0, 0],
        "by the fire": [False, True, False],
        "in the wood": [False, False, True],
        "traps": [3, 3, 4],
        "traps, 1": [1, 1, 2],
        "traps, 2": [2, 2, 2],
        "sentries at the path": [0, 1, 2],
        "sentries at the gate": [3, 3, 3],
        "holes": [0, 4, 0],
    }


def test_what_is_given_of_states_is_put_in_by_the_same_words():
    """Of two wolves that are missing the last group lacks them first; what is not given stays."""
    kinds = [SimpleNamespace(title=title, count=4) for title in ("Wolf", "Cub", "Wolf")]
    hunters = [SimpleNamespace(title="Hunter", count=9)]
    force = {"attackers": SimpleNamespace(groups=kinds), "defenders": SimpleNamespace(groups=hunters)}
    name = {"attackers": "wolves", "defenders": "hunters"}

    def put(state, who, models):
        return state.replace(**{name[who]: models if who == "attackers" else models[0]})

    scene = SimpleNamespace(
        scenario=SimpleNamespace(**force),
        standing=lambda state, who: state.wolves if who == "attackers" else (state.hunters,),
        with_standing=put,
    )
    given = {
        "attackers": 6,
        "attackers: Cub": 2,
        "distance": 4,
        "wolves ahead by": 1,
        "in the wood": True,
        "traps, 1": 5,
        "sentries at the gate": 1,
        "nets": 3,
        "holes": 2,
    }
    assault = told(scene)
    after = fields(assault, with_given(assault, CAMP, given))
    assert {word: np.unique(after[word]).tolist() for word in given if word != "nets"} == {
        word: [value] for word, value in given.items() if word != "nets"
    }
    assert after["attackers: Wolf (1)"].tolist() == [1, 2, 0]
    assert after["attackers: Wolf (2)"].tolist() == [3, 2, 4]
    assert after["hunters ahead"].tolist() == [0, 0, 0]
    assert after["by the fire"].tolist() == [False] * 3
    assert after["traps, 2"].tolist() == [2, 2, 2]
    assert after["sentries at the path"].tolist() == [0, 1, 2]
    assert after["defenders"].tolist() == [5, 6, 7]
    gone = fields(assault, with_given(assault, CAMP, {"by the fire": False, "hunters ahead": 0}))
    assert gone["by the fire"].tolist() == [False] * 3
    assert gone["in the wood"].tolist() == [False, False, True]
    assert gone["hunters ahead"].tolist() == [0, 0, 0]
    assert gone["wolves ahead by"].tolist() == [0, 0, 3]
