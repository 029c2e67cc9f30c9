"""The command that shows and clears what is kept: store."""

from typing import Literal

from analysis.commands import options
from analysis.commands.root import app, print_blocks, print_json
from sims.errors import CasemateError


@app.command
def store(
    *, store: options.StoreFile = None, clear: Literal["others", "all"] | None = None, as_json: options.Json = False
) -> None:
    """Show the store, which keeps what `compare`, `sweep`, `receipt`, `explain` and others have played, or clear it.

    For example:

    - `casemate store`
    - `casemate store --clear others`: what other versions of Casemate have left there, which this one does not use
    - `casemate store --clear all --store FILE`

    Args:
        store: The file; the one in your cache folder if not given.
        clear: Clear what other versions of the code have played, or all.
    """
    from analysis.points import store as stores
    from analysis.say import store as store_words

    try:
        file = store or stores.default()
        cleared = stores.clear(file, clear) if clear else None
        found = stores.contents(file)
    except CasemateError as error:
        raise CasemateError(str(error).removesuffix(stores.WITHOUT)) from error
    if as_json:
        print_json(store_words.data(found, cleared))
    else:
        print_blocks(store_words.summary(found, cleared))
