"""`python -m rowen` is `rowen`."""

from rowen.cli import run

if __name__ == "__main__":
    run()
