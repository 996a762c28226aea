"""Exported modules, run beside the wrappers that they were written from."""

from benchmarks.wrappers.exports import run_exported, values_of

from rowen.model import Page
from rowen.programs.python import to_python


def run(source):
    """The function of a module, in this interpreter: fast enough for random wrappers."""
    names = {}
    exec(compile(source, "exported.py", "exec"), names)
    return names["extract"]


def agree(wrapper, pages, url=""):
    """How many records there are, all of which the exported function gives, and no others."""
    extract = run(to_python(wrapper))
    count = 0
    for text in pages:
        expected = [values_of(record) for record in wrapper.extract(Page(text, url or None))]
        given = extract(text, url)
        assert given == expected, (wrapper.settings(), text)
        count += len(expected)
    return count


def agree_apart(wrapper, pages):
    """The same in an interpreter without Rowen, for types and the order of fields, too."""
    given = run_exported(to_python(wrapper), [(page.text, page.id or "") for page in pages])
    expected = [[repr(values_of(record)) for record in wrapper.extract(page)] for page in pages]
    assert given == expected
    return sum(map(len, expected))
