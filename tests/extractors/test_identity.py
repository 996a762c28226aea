# ruff: noqa: E501, ISC004  # modules as text, one per line
"""A function's identity is its code, and all of its own that it refers to."""

import ast
import importlib
import os
import pickle
import subprocess
import sys
import textwrap
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import cloudpickle
import numpy as np  # noqa: F401  # it can't be imported twice
import pytest

import rowen
import rowen.extractors.pattern
from rowen import ExtractorError
from rowen.extractors import identity
from rowen.extractors.bytecode import canonical_code
from rowen.extractors.identity import PYTHON, identity_of

HEAD = """
import rowen

@rowen.extractor
def find(text):
    return {body}
"""

FOLDERS = count()


@contextmanager
def imported(folder: Path, files: dict[str, str], module: str = "mine"):
    """A module of these files, imported for the first time."""
    place = folder / f"{next(FOLDERS)}"
    for name, content in files.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(textwrap.dedent(content))
    before = set(sys.modules)
    sys.path.insert(0, str(place))
    importlib.invalidate_caches()
    try:
        yield importlib.import_module(module)
    finally:
        sys.path.remove(str(place))
        for name in set(sys.modules) - before:
            del sys.modules[name]


def version(folder: Path, files: dict[str, str], module: str = "mine", name: str = "find") -> str:
    with imported(folder, files, module) as loaded:
        return getattr(loaded, name).version


PACKAGE = {
    "pack/__init__.py": "",
    "pack/words.py": "LEAST = 3\n\ndef long(word):\n    return len(word) > LEAST\n",
    "pack/deep/__init__.py": "",
    "pack/deep/inner.py": "class Rule:\n    least = 1\n    def holds(self):\n        return self.least\n",
    "pack/mine.py": """
        import rowen
        from pack import words
        from pack.deep.inner import Rule
        import pack.deep.inner

        @rowen.extractor
        def find(text):
            if Rule().holds() and words.long(text):
                yield {"all": (0, len(text))}
    """,
}

# What is written in a module beside a function `find`, and what an edit makes of it.
EDITS = {
    "its body": ("def find(text): return []", "def find(text): return [{}]"),
    "a constant in it": ("def find(text): return 1", "def find(text): return 2"),
    "1 and True": ("def find(text): return 1", "def find(text): return True"),
    "0.0 and -0.0": ("def find(text): return 0.0", "def find(text): return -0.0"),
    "a default": ("def find(text, n=1): return n", "def find(text, n=2): return n"),
    "a default by name": ("def find(text, *, n=1): return n", "def find(text, *, n=2): return n"),
    "a helper": (
        "def find(text): return help(text)\ndef help(text): return 1",
        "def find(text): return help(text)\ndef help(text): return 2",
    ),
    "a helper's helper": (
        "def find(text): return a()\ndef a(): return b()\ndef b(): return 1",
        "def find(text): return a()\ndef a(): return b()\ndef b(): return 2",
    ),
    "helpers that call each other": (
        "def find(text): return a(1)\ndef a(n): return b(n)\ndef b(n): return a(n - 1) if n else 1",
        "def find(text): return a(1)\ndef a(n): return b(n)\ndef b(n): return a(n - 1) if n else 2",
    ),
    "a global": (
        "WORD = 'a'\ndef find(text): return WORD",
        "WORD = 'b'\ndef find(text): return WORD",
    ),
    "a list": (
        "W = ['a', 'b']\ndef find(text): return W",
        "W = ['b', 'a']\ndef find(text): return W",
    ),
    "a set": (
        "W = {'a', 'b'}\ndef find(text): return W",
        "W = {'a', 'c'}\ndef find(text): return W",
    ),
    "a nested dict": (
        "W = {'a': [{'b': (1, {2})}]}\ndef find(text): return W",
        "W = {'a': [{'b': (1, {3})}]}\ndef find(text): return W",
    ),
    "functions in a dict": (
        "W = {'a': lambda t: 1}\ndef find(text): return W['a'](text)",
        "W = {'a': lambda t: 2}\ndef find(text): return W['a'](text)",
    ),
    "functions that swap places": (
        "W = [lambda t: 1, lambda t: 2]\ndef find(text): return W[0](text)",
        "W = [lambda t: 2, lambda t: 1]\ndef find(text): return W[0](text)",
    ),
    "functions in a set": (
        "W = {lambda t: 1, lambda t: 2}\ndef find(text): return W",
        "W = {lambda t: 1, lambda t: 3}\ndef find(text): return W",
    ),
    "a comprehension": (
        "def find(text): return [w for w in text if w > 'a']",
        "def find(text): return [w for w in text if w > 'b']",
    ),
    "a function inside": (
        "def find(text):\n  def a(): return lambda: 1\n  return a()",
        "def find(text):\n  def a(): return lambda: 2\n  return a()",
    ),
    "a global that only a comprehension reads": (
        "N = 1\ndef find(text): return [N for w in text]",
        "N = 2\ndef find(text): return [N for w in text]",
    ),
    "a class inside": (
        "def find(text):\n  class A:\n    x = 1\n  return A",
        "def find(text):\n  class A:\n    x = 2\n  return A",
    ),
    "a closure": (
        "def make(n):\n  def find(text): return n\n  return find\nfind = make(1)",
        "def make(n):\n  def find(text): return n\n  return find\nfind = make(2)",
    ),
    "a decorator of its own": (
        "def deco(f): return lambda t: f(t)\n@deco\ndef find(text): return 1",
        "def deco(f): return lambda t: f(t) + 1\n@deco\ndef find(text): return 1",
    ),
    "what a decorator wraps": (
        "from functools import wraps\n"
        "def deco(f):\n  @wraps(f)\n  def w(t): return f(t)\n  return w\n"
        "@deco\ndef find(text): return 1",
        "from functools import wraps\n"
        "def deco(f):\n  @wraps(f)\n  def w(t): return f(t)\n  return w\n"
        "@deco\ndef find(text): return 2",
    ),
    "what a cache wraps": (
        "from functools import lru_cache\n@lru_cache\ndef help(t): return 1\n"
        "def find(text): return help(text)",
        "from functools import lru_cache\n@lru_cache\ndef help(t): return 2\n"
        "def find(text): return help(text)",
    ),
    "a cache around it": (
        "from functools import lru_cache\n@lru_cache\ndef find(t): return help()\ndef help(): return 1",
        "from functools import lru_cache\n@lru_cache\ndef find(t): return help()\ndef help(): return 2",
    ),
    "a partial": (
        "from functools import partial\ndef a(n, t): return n\nhelp = partial(a, 1)\n"
        "def find(text): return help(text)",
        "from functools import partial\ndef a(n, t): return n\nhelp = partial(a, 2)\n"
        "def find(text): return help(text)",
    ),
    "a partial's function": (
        "from functools import partial\ndef a(n, t): return n\nhelp = partial(a, n=1)\n"
        "def find(text): return help(text)",
        "from functools import partial\ndef a(n, t): return n + 1\nhelp = partial(a, n=1)\n"
        "def find(text): return help(text)",
    ),
    "a regular expression": (
        "import re\nP = re.compile('a')\ndef find(text): return P.findall(text)",
        "import re\nP = re.compile('b')\ndef find(text): return P.findall(text)",
    ),
    "its flags": (
        "import re\nP = re.compile('a')\ndef find(text): return P.findall(text)",
        "import re\nP = re.compile('a', re.I)\ndef find(text): return P.findall(text)",
    ),
    "one of regex": (
        "import regex\nP = regex.compile('a')\ndef find(text): return P.findall(text)",
        "import regex\nP = regex.compile('a|b')\ndef find(text): return P.findall(text)",
    ),
    "a method of one": (
        "import re\nfindall = re.compile('a').findall\ndef find(text): return findall(text)",
        "import re\nfindall = re.compile('b').findall\ndef find(text): return findall(text)",
    ),
    "a class's method": (
        "class A:\n  def go(self): return 1\ndef find(text): return A().go()",
        "class A:\n  def go(self): return 2\ndef find(text): return A().go()",
    ),
    "a base class's method": (
        "class B:\n  def go(self): return 1\nclass A(B): pass\ndef find(text): return A().go()",
        "class B:\n  def go(self): return 2\nclass A(B): pass\ndef find(text): return A().go()",
    ),
    "a metaclass": (
        "class M(type):\n  def go(self): return 1\nclass A(metaclass=M): pass\n"
        "def find(text): return A.go()",
        "class M(type):\n  def go(self): return 2\nclass A(metaclass=M): pass\n"
        "def find(text): return A.go()",
    ),
    "a property": (
        "class A:\n  @property\n  def go(self): return 1\ndef find(text): return A().go",
        "class A:\n  @property\n  def go(self): return 2\ndef find(text): return A().go",
    ),
    "a static method": (
        "class A:\n  @staticmethod\n  def go(): return 1\ndef find(text): return A.go()",
        "class A:\n  @staticmethod\n  def go(): return 2\ndef find(text): return A.go()",
    ),
    "a class's constant": (
        "class A:\n  go = 1\ndef find(text): return A.go",
        "class A:\n  go = 2\ndef find(text): return A.go",
    ),
    "an object's state": (
        "class A:\n  def __init__(self, n): self.n = n\nA1 = A(1)\ndef find(text): return A1.n",
        "class A:\n  def __init__(self, n): self.n = n\nA1 = A(2)\ndef find(text): return A1.n",
    ),
    "an object's state in slots": (
        "class A:\n  __slots__ = ('n',)\n  def __init__(self, n): self.n = n\nA1 = A(1)\n"
        "def find(text): return A1.n",
        "class A:\n  __slots__ = ('n',)\n  def __init__(self, n): self.n = n\nA1 = A(2)\n"
        "def find(text): return A1.n",
    ),
    "a bound method's object": (
        "class A:\n  def __init__(self, n): self.n = n\n  def go(self): return self.n\n"
        "go = A(1).go\ndef find(text): return go()",
        "class A:\n  def __init__(self, n): self.n = n\n  def go(self): return self.n\n"
        "go = A(2).go\ndef find(text): return go()",
    ),
    "a dataclass": (
        "from dataclasses import dataclass\n@dataclass\nclass A:\n  n: int = 1\n"
        "def find(text): return A().n",
        "from dataclasses import dataclass\n@dataclass\nclass A:\n  n: int = 2\n"
        "def find(text): return A().n",
    ),
    "a dataclass's object": (
        "from dataclasses import dataclass\n@dataclass(frozen=True, slots=True)\nclass A:\n  n: int\n"
        "A1 = A(1)\ndef find(text): return A1.n",
        "from dataclasses import dataclass\n@dataclass(frozen=True, slots=True)\nclass A:\n  n: int\n"
        "A1 = A(2)\ndef find(text): return A1.n",
    ),
    "an enumeration": (
        "from enum import Enum\nclass A(Enum):\n  X = 1\ndef find(text): return A.X.value",
        "from enum import Enum\nclass A(Enum):\n  X = 2\ndef find(text): return A.X.value",
    ),
    "a named tuple": (
        "from typing import NamedTuple\nclass A(NamedTuple):\n  n: int = 1\n"
        "def find(text): return A().n",
        "from typing import NamedTuple\nclass A(NamedTuple):\n  n: int = 2\n"
        "def find(text): return A().n",
    ),
    "a decimal": (
        "from decimal import Decimal\nD = Decimal('1.0')\ndef find(text): return D",
        "from decimal import Decimal\nD = Decimal('1.5')\ndef find(text): return D",
    ),
    "a day": (
        "from datetime import date\nD = date(2020, 1, 1)\ndef find(text): return D",
        "from datetime import date\nD = date(2020, 1, 2)\ndef find(text): return D",
    ),
    "an ordered dict": (
        "from collections import OrderedDict\nD = OrderedDict(a=1)\ndef find(text): return D",
        "from collections import OrderedDict\nD = OrderedDict(a=2)\ndef find(text): return D",
    ),
    "an array": (
        "import numpy\nD = numpy.array([1, 2])\ndef find(text): return D",
        "import numpy\nD = numpy.array([1, 3])\ndef find(text): return D",
    ),
    "another extractor": (
        "import rowen\nP = rowen.Pattern('(?P<a>b)')\ndef find(text): return P.extract(text)",
        "import rowen\nP = rowen.Pattern('(?P<a>c)')\ndef find(text): return P.extract(text)",
    ),
    "another extractor with a version": (
        "import rowen\nP = rowen.Pattern('(?P<a>b)', version='1')\ndef find(text): return P",
        "import rowen\nP = rowen.Pattern('(?P<a>c)', version='1')\ndef find(text): return P",
    ),
    "another function that is an extractor": (
        "import rowen\n@rowen.extractor(version='1')\ndef other(text): return 1\n"
        "def find(text): return other(text)",
        "import rowen\n@rowen.extractor(version='1')\ndef other(text): return 2\n"
        "def find(text): return other(text)",
    ),
    "dispatch by type": (
        "from functools import singledispatch\n@singledispatch\ndef go(x): return 1\n"
        "@go.register\ndef _(x: str): return 1\ndef find(text): return go(text)",
        "from functools import singledispatch\n@singledispatch\ndef go(x): return 1\n"
        "@go.register\ndef _(x: str): return 2\ndef find(text): return go(text)",
    ),
    "an attribute of a function": (
        "def help(t): return help.n\nhelp.n = 1\ndef find(text): return help(text)",
        "def help(t): return help.n\nhelp.n = 2\ndef find(text): return help(text)",
    ),
    "what is caught": (
        "def find(text):\n  try: return int(text)\n  except ValueError: return 1",
        "def find(text):\n  try: return int(text)\n  except TypeError: return 1",
    ),
    "what is tried": (
        "def find(text):\n  a()\n  try: b()\n  except ValueError: pass",
        "def find(text):\n  try: a(); b()\n  except ValueError: pass",
    ),
    "where a loop ends": (
        "def find(t):\n  for a in t:\n    if a: break\n    b()\n  return 1",
        "def find(t):\n  for a in t:\n    if a: continue\n    b()\n  return 1",
    ),
    "a condition": (
        "def find(t):\n  if a: return 1\n  return 2",
        "def find(t):\n  if not a: return 1\n  return 2",
    ),
    "an attribute's name": ("def find(t): return t.lower()", "def find(t): return t.upper()"),
    "an operator": ("def find(t): return t + t", "def find(t): return t - t"),
    "names of arguments": ("def find(text): return g(a=1)", "def find(text): return g(b=1)"),
}


def made(body: str) -> dict[str, str]:
    return {
        "mine.py": f"{body}\nimport rowen as _rowen\nfind = _rowen.extractor(name='find')(find)\n"
    }


@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_gives_another_version(tmp_path, edit):
    before, after = EDITS[edit]
    first = version(tmp_path, made(before))
    assert version(tmp_path, made(before)) == first
    assert version(tmp_path, made(after)) != first
    assert version(tmp_path, made(before)) == first


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("pack/words.py", "LEAST = 3", "LEAST = 4"),
        ("pack/words.py", "> LEAST", ">= LEAST"),
        ("pack/deep/inner.py", "least = 1", "least = 0"),
        ("pack/deep/inner.py", "return self.least", "return not self.least"),
    ],
)
def test_an_edit_elsewhere_in_the_package_gives_another_version(tmp_path, file, old, new):
    first = version(tmp_path, PACKAGE, "pack.mine")
    assert version(tmp_path, PACKAGE, "pack.mine") == first
    edited = {**PACKAGE, file: PACKAGE[file].replace(old, new)}
    assert edited != PACKAGE
    assert version(tmp_path, edited, "pack.mine") != first


IMPORTS = {
    "from": "from pack.words import long",
    "from a package": "from pack import words; long = words.long",
    "relative": "from .words import long",
    "relative to a package": "from . import words; long = words.long",
    "a path": "import pack.words; long = pack.words.long",
    "under another name": "import pack.words as w; long = w.long",
}


@pytest.mark.parametrize("when", ["at once", "when called"])
@pytest.mark.parametrize("way", IMPORTS)
def test_every_way_to_import_a_helper_counts(tmp_path, way, when):
    here = IMPORTS[way]
    top, inside = (here, "") if when == "at once" else ("", here)
    source = f"import rowen\n{top}\n@rowen.extractor\ndef find(text):\n    {inside}\n    return long(text)\n"
    files = {**PACKAGE, "pack/mine.py": source}
    first = version(tmp_path, files, "pack.mine")
    edited = {**files, "pack/words.py": PACKAGE["pack/words.py"].replace("LEAST = 3", "LEAST = 9")}
    assert version(tmp_path, edited, "pack.mine") != first
    assert version(tmp_path, files, "pack.mine") == first


LOOKUPS = {
    "getattr": "getattr(w, 'LEAST')",
    "getattr through a package": "getattr(getattr(pack, 'words'), 'LEAST')",
    "globals": "globals()['long'](text)",
    "vars": "vars(w)['LEAST']",
    "__dict__": "w.__dict__['LEAST']",
    "import_module": "importlib.import_module('pack.words').LEAST",
    "import_module, relative": "importlib.import_module('.words', 'pack').LEAST",
    "__import__": "__import__('pack.words').words.LEAST",
    "attrgetter": "operator.attrgetter('words.LEAST')(pack)",
    "a list of names": "[getattr(w, name) for name in ('long', 'LEAST')]",
}


@pytest.mark.parametrize("way", LOOKUPS)
def test_names_in_texts_that_are_looked_up_count(tmp_path, way):
    top = "import importlib, operator, rowen, pack\nimport pack.words as w\nfrom pack.words import long\n"
    if "import" in way:
        top = "import importlib, rowen\n"
    source = f"{top}@rowen.extractor\ndef find(text):\n    return {LOOKUPS[way]}\n"
    files = {**PACKAGE, "pack/mine.py": source}
    first = version(tmp_path, files, "pack.mine")
    edited = {**files, "pack/words.py": PACKAGE["pack/words.py"].replace("LEAST = 3", "LEAST = 9")}
    assert version(tmp_path, edited, "pack.mine") != first
    assert version(tmp_path, files, "pack.mine") == first


@pytest.mark.parametrize(
    "read",
    ["open('a.txt').read()", "Path('a.txt').read_text()", "eval('LEAST + 1')", "helper()"],
)
def test_files_that_are_read_and_code_in_texts_are_named(tmp_path, read):
    source = f"""
        from pathlib import Path
        import rowen

        def helper():
            with open("a.txt", "rb") as file:
                return file.read()

        @rowen.extractor
        def find(text):
            return {read}
    """
    with imported(tmp_path, {"mine.py": source}) as module:
        (line,) = module.find.identity().unwatched
        assert ("runs code" if "eval" in read else "reads a file") in line


def test_through_a_module_that_is_used_by_its_name(tmp_path):
    source = "import rowen\nimport pack.words as w\n@rowen.extractor\ndef find(text):\n    return w.long(text)\n"
    files = {**PACKAGE, "pack/mine.py": source}
    first = version(tmp_path, files, "pack.mine")
    words = PACKAGE["pack/words.py"] + "\ndef unused():\n    return 1\n"
    assert version(tmp_path, {**files, "pack/words.py": words}, "pack.mine") == first
    words = PACKAGE["pack/words.py"].replace("> LEAST", "< LEAST")
    assert version(tmp_path, {**files, "pack/words.py": words}, "pack.mine") != first


@pytest.mark.parametrize("when", ["at once", "when called"])
def test_a_module_in_no_package_has_those_beside_it_for_its_own(tmp_path, when):
    inside = "" if when == "at once" else "from helpers import help"
    top = "from helpers import help" if when == "at once" else ""
    files = {
        "mine.py": f"import rowen\n{top}\n@rowen.extractor\ndef find(text):\n    {inside}\n    return help(text)\n",
        "helpers.py": "def help(text): return []",
    }
    first = version(tmp_path, files)
    assert version(tmp_path, {**files, "helpers.py": "def help(text): return [1]"}) != first
    assert version(tmp_path, files) == first


SAME = {
    "line numbers": ("def find(text): return 1", "\n\n\n\ndef find(text): return 1"),
    "comments": ("def find(text):\n  return 1", "def find(text):\n  # one\n  return 1  # 1"),
    "a docstring": ("def find(text):\n  return None", "def find(text):\n  'Doc.'\n  return None"),
    "another docstring": (
        "def find(t):\n  'A.'\n  return 'A.'",
        "def find(t):\n  'B.'\n  return 'A.'",
    ),
    "a class's docstring": (
        "class A:\n  x = 1\ndef find(text): return A",
        "class A:\n  'Doc.'\n  x = 1\ndef find(text): return A",
    ),
    "the docstring of a class inside": (
        "def find(text):\n  class A:\n    x = 1\n  return A",
        "def find(text):\n  class A:\n    'Doc.'\n    x = 1\n  return A",
    ),
    "line breaks": (
        "def find(t): return [a for a in t if a and t] if t else (1, 2, {3, 4})",
        "def find(\n  t\n):\n  return [\n    a\n    for a in t\n    if a\n    and t\n  ] if t else (\n"
        "    1,\n    2, {3,\n 4})",
    ),
    "annotations": ("def find(text): return 1", "def find(text: str) -> int: return 1"),
    "what it does not use": (
        "def find(t): return 1",
        "N = 2\ndef find(t): return 1\ndef g(): return N",
    ),
    "the order of definitions": (
        "def a(): return 1\ndef b(): return 2\ndef find(t): return a() + b()",
        "def b(): return 2\ndef find(t): return a() + b()\ndef a(): return 1",
    ),
    "the order of a set": (
        "W = {'a', 'b', 'c'}\ndef find(t): return W",
        "W = {'c', 'b', 'a'}\ndef find(t): return W",
    ),
    "two equal lists and one": (
        "A = [print]\nB = [print]\ndef find(t): return A, B",
        "A = [print]\nB = A\ndef find(t): return A, B",
    ),
}


@pytest.mark.parametrize("what", SAME)
def test_what_changes_no_record_changes_no_version(tmp_path, what):
    before, after = SAME[what]
    assert version(tmp_path, made(before)) == version(tmp_path, made(after))


def test_functions_of_one_name_in_two_modules_have_two_versions(tmp_path):
    source = HEAD.format(body="[]")
    files = {"mine.py": source, "yours.py": source}
    assert version(tmp_path, files, "mine") != version(tmp_path, files, "yours")


def test_the_place_of_the_package_does_not_count(tmp_path):
    files = {
        "mine.py": """
        from pathlib import Path
        import os
        import rowen
        HERE = Path(__file__).parent
        WORDS = os.path.join(os.path.dirname(__file__), "words.txt")

        @rowen.extractor
        def find(text):
            return HERE, WORDS, __file__
        """
    }
    first = version(tmp_path / "one place", files)
    assert version(tmp_path / "another", files) == first
    moved = {"mine.py": files["mine.py"].replace("words.txt", "others.txt")}
    assert version(tmp_path, moved) != first


EVERYTHING = "\n".join(
    [
        f"def make{number}():\n" + textwrap.indent(f"{before}\nreturn find", "    ")
        for number, (name, (before, _)) in enumerate(EDITS.items())
        if "extractor" not in name
    ]
)


def test_versions_are_the_same_in_every_process(tmp_path):
    numbers = [number for number, name in enumerate(EDITS) if "extractor" not in name]
    (tmp_path / "mine.py").write_text(EVERYTHING)
    code = (
        "import mine, warnings; from rowen.extractors.identity import identity_of\n"
        f"print([identity_of(getattr(mine, f'make{{n}}')()).digest for n in {numbers}])"
    )
    outputs = set()
    for seed in ("0", "1", "2", "12345"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        outputs.add(
            subprocess.run(
                [sys.executable, "-c", code],
                cwd=tmp_path,
                env=environment,
                capture_output=True,
                text=True,
                check=True,
            ).stdout
        )
    assert len(outputs) == 1
    assert len(set(ast.literal_eval(outputs.pop()))) > 40


def test_a_call_changes_nothing(tmp_path):
    source = """
        import re
        import rowen
        from functools import lru_cache, cached_property

        @lru_cache
        def length(word):
            return len(word)

        class Counter:
            @cached_property
            def number(self):
                return 3

        @rowen.extractor
        def find(text):
            for found in re.finditer("[a-z]+", text):
                if length(found[0]) >= Counter().number:
                    yield {"word": found.span()}
    """
    with imported(tmp_path, {"mine.py": source}) as module:
        first = module.find.version
        for _ in range(200):
            assert len(module.find.extract("some words of a text " * 20)) == 60
        assert module.find.version == first


def test_a_helper_that_is_replaced_in_a_running_process_counts(tmp_path):
    source = HEAD.format(body="help(text)") + "\ndef help(text):\n    return []\n"
    with imported(tmp_path, {"mine.py": source}) as module:
        first = module.find.version
        module.help = lambda _text: [1]
        assert module.find.version != first


def test_an_explicit_version_rules(tmp_path):
    def files(body):
        return {"mine.py": HEAD.replace("extractor", "extractor(version='7')").format(body=body)}

    with imported(tmp_path, files("[]")) as module:
        assert module.find.version == "7"
        before = module.find.identity().digest
    with imported(tmp_path, files("[{}]")) as module:
        assert module.find.version == "7"
        assert module.find.identity().digest != before


def test_the_versions_of_named_packages_count(monkeypatch):
    def find(text):
        return text

    plain = rowen.extractor(name="find")(find)
    named = rowen.extractor(name="find", depends=["numpy"])(find)
    first = named.version
    assert first != plain.version
    from importlib import metadata

    true = metadata.version
    monkeypatch.setattr(metadata, "version", lambda name: "99" if name == "numpy" else true(name))
    assert named.version != first


def test_packages_can_be_named_as_they_are_imported():
    assert identity.dependencies(["yaml"]) == {"yaml": identity.dependencies(["yaml"])["yaml"]}


@pytest.mark.parametrize("depends", [["no-such-package"], "numpy", [""]])
def test_packages_that_are_not_there_are_reported(depends):
    with pytest.raises(ExtractorError, match="depends"):
        rowen.extractor(depends=depends)(lambda _: [])


def test_objects_that_can_not_be_digested_are_named(tmp_path):
    source = """
        import random
        import rowen
        import sqlite3
        from rowen.export import target

        connection = sqlite3.connect(":memory:")
        number = 0
        chance = random.Random()

        @rowen.extractor
        def find(text):
            global number
            number += 1
            return connection, chance
    """
    with imported(tmp_path, {"mine.py": source}) as module:
        first = module.find.identity()
        names = sorted(line.split(" ")[0] for line in first.unwatched)
        assert names == ["'chance'", "'connection'", "'number'"]
        assert any("sqlite3.Connection" in line for line in first.unwatched)
        module.number = 7
        assert module.find.identity() == first


def test_python_s_version_is_part_of_the_identity():
    assert identity_of(lambda _: []).tagged.startswith(f"python {PYTHON}: ")


@pytest.mark.parametrize("edit", EDITS)
def test_an_identity_travels(tmp_path, edit):
    """As Dask sends functions: by value, what they refer to by name or by value."""
    with imported(tmp_path, made(EDITS[edit][0])) as module:
        function = module.find.function
        here = identity_of(function)
        try:
            sent = cloudpickle.dumps(function)
        except pickle.PicklingError:
            return
        arrived = identity_of(pickle.loads(sent), surroundings=here.surroundings)
        assert arrived.digest == here.digest
        cloudpickle.register_pickle_by_value(module)
        try:
            whole = cloudpickle.dumps(function)
        except TypeError:  # what can't travel need not arrive
            return
        finally:
            cloudpickle.unregister_pickle_by_value(module)
    # Where there is no such module, all of it has come along, but what goes by its name alone.
    try:
        unpickled = pickle.loads(whole)
    except ModuleNotFoundError:
        return
    assert identity_of(unpickled, surroundings=here.surroundings).digest == here.digest


@pytest.mark.slow
def test_bytecode_is_the_same_however_it_is_formatted():
    """Of the sources of Rowen itself, as written and as Python would write them."""
    different = []
    total = 0
    rooms = ("wrappers", "induction", "labels", "learning", "maintenance", "programs", "recycling")
    folders = [Path(rowen.__file__).parent / room for room in rooms]
    for file in sorted(file for folder in folders for file in folder.rglob("*.py")):
        tree = ast.parse(file.read_text())
        first = compile(tree, "a", "exec")
        second = compile(ast.unparse(_bare(tree)), "b", "exec")
        for before, after in zip(_functions(first), _functions(second), strict=True):
            total += 1
            if canonical_code(before) != canonical_code(after):
                different.append(f"{file.name} {before.co_qualname}")
    assert total > 500
    assert len(different) <= total / 1000, different


def _functions(code):
    from types import CodeType

    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant


def _bare(tree):
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Module)
    for node in ast.walk(tree):
        if isinstance(node, kinds) and ast.get_docstring(node, clean=False) is not None:
            node.body = node.body[1:] or [ast.Pass()]
    return tree
