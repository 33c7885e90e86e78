"""`anagnosis readers`: the readers by name; make those of `ask` from releases, and show their cards."""

from __future__ import annotations

import click

from anagnosis.cli import output_options

LIST, MAKE, SHOW = "list", "make", "show"
# Whether a reader has earned its use → what `show` prints.
_USED = {True: "on", False: "off, not good enough on held-out questions", None: "on"}


@click.command(
    epilog="\b\nExample:\n  anagnosis readers\n  anagnosis readers make --data releases/ --out readers\n"
    "  anagnosis readers show readers"
)
@click.argument("action", type=click.Choice([LIST, MAKE, SHOW]), default=LIST)
@click.argument("folder", required=False)
@click.option("--data", metavar="FOLDER", help="make: the releases of PubMedQA, SciFact and BioASQ.")
@click.option("--out", metavar="FOLDER", help="make: where the readers go, a folder each.")
@output_options.REPLACE
@output_options.JSON
def readers(
    action: str, folder: str | None, data: str | None, out: str | None, replace: bool, as_json: bool
) -> None:
    """List the readers; `make` those that `ask` uses, or `show` what they are worth.

    `make` recognises the releases in a folder by their content: claims of SciFact for evidence, ori_pqal.json of
    PubMedQA for stances, BioASQ's golden files for names and types of questions. It keeps readers that are there unless
    --replace is given, and continues after an interruption. `show` prints the card of each reader in FOLDER: whether
    `ask` uses it, what for, figures with their date, data and licence.
    """
    from anagnosis import api
    from anagnosis.cli.commands.tables import listed

    if action == MAKE:
        if data is None or out is None or folder is not None:
            raise click.UsageError("make takes --data FOLDER and --out FOLDER")
        api.make_readers(data, out, replace=replace)
        folder = out
    elif data is not None or out is not None or replace or (action == SHOW) == (folder is None):
        raise click.UsageError("show takes FOLDER, and only make takes --data, --out and --replace")
    if folder is None:
        listed(api.described("readers"), as_json=as_json)
        return
    cards = api.reader_cards(folder)
    if as_json:
        output_options.print_json(cards)
    for role, card in {} if as_json else cards.items():
        print(f"{role}: {_USED[card['earned']]}\n  {card['used_for']}\n  {card['says']}")
        print(f"  trained on {card['data']}\n  licence of the data: {card['licence']}")
