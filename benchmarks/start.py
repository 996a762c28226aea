"""How long `import rowen` and the smallest commands take, beside a bare interpreter."""

import subprocess
import sys

from benchmarks.measure import Table, best_of

WAYS = {
    "python -c pass": ["-c", "pass"],
    "import rowen": ["-c", "import rowen"],
    "rowen --version": ["-m", "rowen", "--version"],
    "rowen --help": ["-m", "rowen", "--help"],
}


def run() -> Table:
    """Best of several rounds each, interleaved."""

    def call(arguments: list[str]) -> None:
        subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)

    ways = {name: lambda given=given: call(given) for name, given in WAYS.items()}
    seconds = best_of(ways, rounds=15)
    bare = seconds["python -c pass"]
    table = Table(
        "start: time to the first answer", ("what", "milliseconds", "less the interpreter")
    )
    for name, took in seconds.items():
        table.add(name, f"{took * 1000:.0f}", f"{(took - bare) * 1000:.0f}")
    return table


if __name__ == "__main__":
    print(run())
