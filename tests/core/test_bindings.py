"""What the kernels accept from Python: anything else is refused with an exception, never read."""

import os
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rowen import _core
from rowen._core import native


def answered_or_refused(call):
    """Call it; it may only fail as Python's own functions do, with a message."""
    try:
        call()
    except REFUSALS as refusal:
        return bool(str(refusal)) or isinstance(refusal, MemoryError)
    return True


REFUSALS = (TypeError, ValueError, IndexError, OverflowError, MemoryError, KeyError)

MANY = 60 if "ROWEN_EXPLORE" not in os.environ else 10_000
EDGES = st.sampled_from([-(2**63), -(2**31), -2, -1, 0, 1, 2, 7, 2**31 - 1, 2**32, 2**63 - 1])
DTYPES = st.sampled_from(
    [
        np.uint8,
        np.int8,
        np.uint16,
        np.int32,
        np.uint32,
        np.int64,
        np.uint64,
        np.float32,
        np.float64,
        bool,
    ]
)


@st.composite
def arrays(draw):
    """Arrays of any type and shape, some not contiguous, some read-only, with extreme numbers."""
    dtype = draw(DTYPES)
    numbers = draw(st.lists(EDGES, max_size=12))
    with np.errstate(all="ignore"):
        array = np.array(numbers, dtype=np.float64).astype(np.int64).astype(dtype)
    shape = draw(st.sampled_from(["flat", "two", "three", "strided", "back", "transposed", "0d"]))
    array = {
        "flat": array,
        "two": array[: len(array) // 2 * 2].reshape(-1, 2),
        "three": array[: len(array) // 3 * 3].reshape(-1, 3),
        "strided": array[::2],
        "back": array[::-1],
        "transposed": array[: len(array) // 3 * 3].reshape(3, -1).T,
        "0d": np.array(3, dtype=dtype),
    }[shape]
    if draw(st.booleans()):
        array = array.copy()
        array.flags.writeable = False
    return array


TEXTS = st.text(st.sampled_from("<a b='c'>\n/é\u4e00\U0001f600\ud800"), max_size=20)
VALUES = st.recursive(
    st.one_of(TEXTS, EDGES, arrays(), st.none(), st.booleans(), st.floats(), st.binary(max_size=8)),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.lists(inner, max_size=7).map(tuple)),
    max_leaves=6,
)
OUTLINE = _core.html_outline("<ul><li class=a>one</li><li>two</li></ul>")
# These change their process for good: here they would leave the tests without their files.
CONFINING = ("confine", "drop_privileges", "end_with", "landlock")
# `pdf_characters` and `pdf_shapes` take addresses of functions on trust.
FUNCTIONS = sorted(
    name
    for name in vars(native)
    if not name.startswith("_")
    and name
    not in {
        *CONFINING,
        "pdf_characters",
        "pdf_shapes",
        "HtmlOutline",
        "LinearChainCRF",
        "NearIndex",
    }
)
KEYWORDS = {
    "data_nodes": ["depth", "most"],
    "html_tokens": ["hint_starts", "hints"],
    "json_lines": ["head", "keys"],
    "scan_table": ["head", "tail", "open", "close"],
    "token_rows": ["record", "fields", "required"],
}


@pytest.mark.parametrize("name", FUNCTIONS)
@settings(max_examples=MANY // 4)
@given(data=st.data())
def test_hostile_arguments_are_refused_or_answered(name, data):
    function = getattr(_core, name)
    first = (
        [OUTLINE] if name.endswith(("_tags", "_stretches", "_bounds", "_values", "_rows")) else []
    )
    arguments = data.draw(st.lists(VALUES, max_size=6))
    keywords = {word: data.draw(VALUES) for word in KEYWORDS.get(name, ())}
    assert answered_or_refused(lambda: function(*first, *arguments, **keywords))


def in_a_child(call):
    """What a call gives, true or not, in a copy of this process."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of threads that the copy does not have; it needs none
        child = os.fork()
    if child == 0:
        code = 1
        try:
            code = 0 if call() else 1
        finally:
            os._exit(code)
    return os.waitpid(child, 0)[1] == 0


@pytest.mark.parametrize("name", CONFINING)
@settings(max_examples=MANY // 4)
@given(arguments=st.lists(VALUES, max_size=3))
def test_hostile_arguments_of_what_confines_a_process_are_refused_or_answered(name, arguments):
    function = getattr(_core, name)
    assert in_a_child(lambda: answered_or_refused(lambda: function(*arguments)))


NUMBERS = arrays()


@settings(max_examples=MANY)
@given(
    st.lists(NUMBERS, min_size=5, max_size=5),
    EDGES,
    NUMBERS,
    st.lists(st.lists(st.tuples(EDGES, EDGES), max_size=3), max_size=3),
)
def test_hostile_numbers_are_refused_or_answered(several, number, table, templates):
    with np.errstate(all="ignore"):
        as_numbers = [one.reshape(-1).astype(np.int32) for one in several]
        wide = np.ascontiguousarray(table.reshape(-1)[: table.size // 6 * 6].astype(np.int64))
    calls = [
        lambda: _core.substring_classes(*as_numbers[:4], number, as_numbers[4]),
        lambda: _core.first_after(*as_numbers),
        lambda: _core.suffix_order(as_numbers[0].astype(np.uint32), as_numbers[1].astype(np.uint8)),
        lambda: _core.last_starts(as_numbers[0].astype(np.uint32), number, abs(number), number),
        lambda: _core.segments_inside("a\nb\nc", "a\nb\nd", wide.reshape(-1, 3), "\n"),
        lambda: _core.segments_elsewhere("a\nb\nc", "a\nb\nd", wide.reshape(-1, 2), "\n"),
        lambda: _core.html_tokens(
            "<p>a<b>", hint_starts=as_numbers[0], hints=as_numbers[1].astype(np.uint8)
        ),
        lambda: _core.feature_keys(templates, wide.reshape(-1, 2).astype(np.uint64)),
        lambda: _core.NearIndex(number, 1),
    ]
    for call in calls:
        assert answered_or_refused(call)


def test_regions_outside_their_texts_are_refused():
    for region in [(0, 0, 9), (-1, 0, 1), (0, -1, 1), (0, 0, -1), (2**62, 0, 2**62), (3, 0, 1)]:
        with pytest.raises(ValueError, match="inside both texts"):
            _core.segments_inside("abc", "abc", np.array([region], dtype=np.int64), "\n")


def test_parts_of_a_wrapper_with_other_members_are_refused():
    for part in [(), (1,), (1, 2), "ab", None, ((),), (((),),)]:
        with pytest.raises((TypeError, ValueError)):
            _core.record_stretches(OUTLINE, part)
        with pytest.raises((TypeError, ValueError)):
            _core.rule_values(OUTLINE, part)


def test_suffixes_that_contradict_themselves_are_refused():
    one = np.array([0, 1], dtype=np.int32)
    with pytest.raises(ValueError, match="ends before it starts"):
        _core.substring_classes(one, np.array([0, -5], dtype=np.int32), one + 1, one * 0, 1, one)
    assert [
        len(column)
        for column in _core.substring_classes(one, one * 0, one + 1, one * 0, 2**33, one)
    ] == [0] * 6


def test_an_index_keeps_no_absurd_number_of_bytes():
    with pytest.raises(ValueError, match="65536"):
        _core.NearIndex(2**64 - 1, 1)
