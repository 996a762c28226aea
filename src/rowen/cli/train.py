"""`rowen train`: adapt a model to annotated data."""

from pathlib import Path

import click

from rowen.cli.app import common_options


@click.command(short_help="Adapt the parser of references to your own annotated references.")
@click.argument("kind", type=click.Choice(("citations",)), metavar="citations")
@click.argument("file", metavar="FILE", type=click.Path())
@click.option(
    "-o", "--output", type=click.Path(), required=True, help="The file of the new model (required)."
)
@common_options
def command(*, kind: str, file: str, output: str, quiet: bool, verbose: bool) -> int:  # noqa: ARG001
    """Adapt the model that parses references to the annotated references of FILE.

    FILE has one JSON object per line: `raw`, the reference string, with `fields`, the text of each
    field in it, or with `spans` and `labels`. An optional `doc` names the document of a reference.
    A few hundred references of a style are enough, and take a minute; 20 are the least.

    A fifth of the documents, or of the references, is held out. Its score with the model of the
    package and with the new one is printed: use the new model if it is better.

    \b
    rowen train citations my.jsonl -o my.model
    rowen cite refs.txt --model my.model
    rowen paper article.pdf --citations-model my.model
    """  # noqa: D301  # click reads the backspace
    from rowen.citations.adaptation import adapt, read_annotated
    from rowen.cli.console import Console
    from rowen.files import writing
    from rowen.model.errors import OutputError

    console = Console(quiet=quiet, verbose=verbose)
    rows = read_annotated(Path(file))

    def report(number: int, loss: float) -> None:
        if verbose:
            console.inform(f"pass {number}: loss {loss:.3f} on what is held out")

    adapted = adapt(rows, report=report)
    try:
        with writing(Path(output)) as target:
            target.write(adapted.model)
    except OSError as error:
        raise OutputError(f"{output}: {error.strerror}") from error
    if not quiet:
        click.echo(
            f"learned from {adapted.learned:,} references, held out {adapted.held_out:,}\n"
            f"fields right on those held out (F1): {adapted.before:.3f} before, "
            f"{adapted.after:.3f} after"
        )
        for name, (count, before, after) in adapted.by_field.items():
            click.echo(f"  {name:12} {count:5,}   {before:.3f}   {after:.3f}")
    if adapted.after <= adapted.before:
        console.warn("the new model is not better on what was held out; more references may help")
    return 0
