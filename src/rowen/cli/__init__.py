"""The command `rowen`: one file a command, one place that turns errors into exit codes."""

import os
import sys
from collections.abc import Sequence

from rowen.model.errors import RowenError

INTERRUPTED = 130
USAGE = 2
BUG = 1
COMPLETE = "_ROWEN_COMPLETE"
"""The variable in which a shell asks what completes a command line."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line and give its exit code; never lets a traceback through.

    0 done, 1 a bug of ours, 2 usage, 3 no consistent wrapper, 4 bad input, 5 drift found, 6 store,
    service or output not usable, 7 learned, but some labels are not reproduced, 130 interrupted. A
    reader that goes away (`| head`) ends the
    command quietly with 0.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given == ["--version"]:  # answered before anything slow is imported
        print(_version())  # noqa: T201  # the answer
        return 0
    try:
        return _run(given)
    except KeyboardInterrupt:
        _say("interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        _let_go_of_stdout()
        return 0
    except RowenError as error:
        if message := str(error):
            _say(message)
        return error.exit_code
    except Exception as error:  # noqa: BLE001  # whatever it is, the user gets one line
        _report_bug(error, given)
        return BUG


def _run(given: list[str]) -> int:
    import click

    from rowen.cli.app import app

    if asked := os.environ.get(COMPLETE):
        from click.shell_completion import shell_complete

        return shell_complete(app, {}, "rowen", COMPLETE, asked)
    try:
        # Not app.main, which has answers of its own to Ctrl-C and closed pipes.
        with app.make_context("rowen", given or ["--help"]) as context:
            result = app.invoke(context)
        sys.stdout.flush()
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.Abort:
        raise KeyboardInterrupt from None
    except click.UsageError as error:
        where = error.ctx.command_path if error.ctx is not None else "rowen"
        _say(f"{error.format_message().rstrip('.')}; see '{where} --help'")
        return USAGE
    except click.ClickException as error:
        _say(error.format_message())
        return USAGE
    return result if isinstance(result, int) else 0


def _version() -> str:
    from rowen import __version__

    return f"rowen {__version__}"


def _say(message: str) -> None:
    line = " ".join(message.split("\n"))
    print(f"rowen: {line}", file=sys.stderr)  # noqa: T201  # the one line


def _report_bug(error: Exception, given: list[str]) -> None:
    if "-v" in given or "--verbose" in given:
        import traceback

        traceback.print_exc()
    _say(f"a bug of ours: {type(error).__name__}: {error}; -v shows where, please report it")


def _let_go_of_stdout() -> None:
    """Point standard output at nothing, or the interpreter complains when it flushes at exit."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, sys.stdout.fileno())
    os.close(nothing)


def run() -> None:
    """The entry point of the installed command; being terminated cleans up as Ctrl-C does."""
    import signal

    signal.signal(signal.SIGTERM, signal.default_int_handler)
    sys.exit(main())
