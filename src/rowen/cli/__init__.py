"""The command `rowen`: one file per command, and one place that turns errors into exit codes."""

import os
import sys
from collections.abc import Sequence

from rowen.model.errors import RowenError

INTERRUPTED = 130
USAGE = 2
BUG = 1
COMPLETE = "_ROWEN_COMPLETE"
"""The variable by which a shell asks for completions."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line and return its exit code; a user never sees a traceback without -v.

    0 success, 1 internal error, 2 usage, 3 no consistent wrapper, 4 bad input, 5 drift found, 6
    store, service or output not usable, 7 learned, but some labels are not reproduced, 130
    interrupted. A closed pipe (`| head`) ends the command quietly with 0.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words == ["--version"]:  # answered before anything slow is imported
        print(_version())  # noqa: T201  # the answer
        return 0
    try:
        return _run(words)
    except KeyboardInterrupt:
        _say("interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        _drop_stdout()
        return 0
    except RowenError as error:
        if message := str(error):
            _say(message)
        return error.exit_code
    except Exception as error:  # noqa: BLE001  # whatever it is, the user gets one line
        _report_bug(error, words)
        return BUG


def _run(words: list[str]) -> int:
    import click

    from rowen.cli.app import app

    if instruction := os.environ.get(COMPLETE):
        from click.shell_completion import shell_complete

        return shell_complete(app, {}, "rowen", COMPLETE, instruction)
    try:
        # Not app.main, which handles Ctrl-C and closed pipes in its own way.
        with app.make_context("rowen", words or ["--help"]) as context:
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


def _report_bug(error: Exception, words: list[str]) -> None:
    if "-v" in words or "--verbose" in words:
        import traceback

        traceback.print_exc()
    _say(f"internal error: {type(error).__name__}: {error}; run with -v and please report it")


def _drop_stdout() -> None:
    """Redirect standard output to nothing: flushing a closed pipe at exit would print an error."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, sys.stdout.fileno())
    os.close(nothing)


def run() -> None:
    """The entry point of the installed command; SIGTERM cleans up as Ctrl-C does."""
    import signal

    signal.signal(signal.SIGTERM, signal.default_int_handler)
    code = main()
    if code == INTERRUPTED:
        # After an interrupt in generated code, such as that of dataclasses, `python -m` would end
        # by SIGINT, though it was caught. To run other generated code makes it forget that.
        exec("")  # noqa: S102  # nothing
    sys.exit(code)
