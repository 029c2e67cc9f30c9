"""The commands that look something up: odds, rules, scenarios."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from analysis.commands import options
from analysis.commands.root import app, print_json, progress_bar
from analysis.say import files
from analysis.say.notes import note
from sims.errors import CasemateError
from sims.rulesets import rule_set, rule_sets_of


@app.command(help_flags=[])
def odds(
    clause: str | None = None,
    /,
    *given: str,
    ask: str | None = None,
    rules: str | None = None,
    as_json: options.Json = False,
    notation: options.Flag = False,
    explain: Annotated[bool, Parameter(name=["--help", "-h"], negative=())] = False,
) -> None:
    """Ask a clause or any dice for its exact odds: as a fraction, a decimal, a distribution.

    Without a clause it lists everything that can be asked. Examples:

    - `casemate odds "R3D6P2 up"`
    - `casemate odds 2D6-4 --ask "P(>=5)"`
    - `casemate odds ARAP-015 --help`
    - `casemate odds ARAP-015 target=0 --json`
    - `casemate odds ST-030 n=3 T=4 building_class=stronghold --rules my-house-rule.toml`

    Args:
        clause: The id of a clause, the name of a question, such as wound-roll, or dice as players write them, in
            quotes.
        given: Inputs, each as name=value; rulings are switched in the same way. Capitals do not matter.
        ask: What to ask of a distribution: "mean", "P(>=15)" and the like.
        rules: The file of a house rule, to be asked in place of the book as it stands.
        notation: Show how dice are written.
        explain: List the inputs of a clause with what each takes, its rulings and their options, and what it says.
    """
    if explain and clause is None:
        return app.help_print(["odds"])
    from analysis.library import odds as asking

    if notation:
        return print_json(asking.notation_as_data()) if as_json else asking.show_notation()
    if clause is None:
        return asking.show_questions()
    if explain:
        return asking.show_help(clause)

    with progress_bar() as tell:
        asked = asking.answer_to(clause, given, ask, rule_set(rules) if rules else None, tell)
    return print_json(asked.data()) if as_json else asking.show(asked)


@app.command
def rules(
    name: str | None = None,
    /,
    *,
    within: Annotated[options.Names, Parameter(name="--rules")] = None,
    schema: options.Flag = False,
    out: Path | None = None,
    as_json: options.Json = False,
) -> None:
    """List the rule sets and how many of their clauses are modelled; or show one rule set, document or clause.

    Any other word is looked for in all tables, rulings and clauses.

    For example:

    - `casemate rules`
    - `casemate rules storming`
    - `casemate rules ST-030`
    - `casemate rules my-house-rule.toml`: what it changes, beside what its base has
    - `casemate rules grenade`
    - `casemate rules door --rules storming`
    - `casemate rules storming --schema`: for an editor that checks house rules as they are written
    - `casemate rules --out rules.html`: every clause on one page, with odds to try

    Args:
        name: A rule set, the file of a house rule, a document, the id of a clause, or a word.
        within: Look for the word only in these rules, their documents and their base games.
        schema: Print the JSON Schema of house rules made from a rule set.
        out: Write a page of every clause: what it says, its rulings, odds to try, and where it is implemented. A file
            ending in .html, or a folder.
    """
    from analysis.library import catalogue

    if within:
        if name is None or schema or out or as_json:
            raise CasemateError("--rules says where a word is looked for: casemate rules door --rules storming")
        return catalogue.show_places(name, rule_sets_of(options.split(within)))
    if out:
        return _write_rules(name, out)
    if schema:
        from analysis.values.schema import schema as schema_of

        if name is None:
            raise CasemateError("--schema needs a rule set: casemate rules storming --schema")
        return print_json(schema_of(rule_set(name)))
    if as_json:
        return print_json(catalogue.description(name) if name else catalogue.coverage())
    return catalogue.show(name) if name else catalogue.show_all()


def _write_rules(name: str | None, out: Path) -> None:
    """Write the page of every clause."""
    from analysis.pages import report
    from analysis.pages import rules as rules_page

    if name is not None:
        raise CasemateError(f'--out writes every clause to a page; it takes no "{name}"')
    page = report.target(out, "rules")
    with progress_bar() as tell:
        written = report.rules(rules_page.chapters(tell))
    files.write(page, written)
    note(f"The page of rules: {page}")


@app.command
def scenarios(name: str | None = None, /, *, as_json: options.Json = False) -> None:
    """List the scenarios, and the units, weapons and buildings that a scenario file may name; or show one scenario.

    For example:

    - `casemate scenarios`
    - `casemate scenarios farmhouse`

    Args:
        name: One of those listed, or the file of your own.
    """
    from analysis.library import shelf

    if as_json:
        return print_json(shelf.description(name) if name else shelf.as_data())
    return shelf.show_one(name) if name else shelf.show()


@app.command
def new_rule(file: Path, /, *, base: str, tables: options.Names = None, rulings: options.Names = None) -> None:
    """Write a house rule to start from: every value it may change stands in it as a comment, with what it may be.

    For example:

    - `casemate new-rule my-house-rule.toml --base storming`
    - `casemate new-rule my-house-rule.toml --base storming --tables grenade,blows`
    - `casemate new-rule my-house-rule.toml --base gemini --rulings routers=rally,flight=lines`

    Args:
        file: The file to write, ending in .toml; one that is there is not written over.
        base: A rule set by its id, or the file of another house rule.
        tables: The tables that it is about; all of them, and the rulings, if not given.
        rulings: Rulings that it switches at once, each as name=option.
    """
    from analysis.values.starter import base_of, starter

    if file.suffix != ".toml":
        raise CasemateError(f'a house rule cannot be "{file}"; expected a file ending in .toml')
    files.writable(file, files.existing_folder(file))
    if file.exists():
        raise CasemateError(f"{file}: is there already; expected a new file")
    under = rule_set(base)
    only, pairs = ([name.strip() for names in given or () for name in names.split(",")] for given in (tables, rulings))
    switched = {name.strip(): option.strip() for name, _, option in (pair.partition("=") for pair in pairs)}
    title = file.stem.replace("-", " ").capitalize()
    files.write(file, starter(under, base_of(base, under, file), title, only, switched))
    note(f"The house rule: {file}")
