import re

import numpy as np
import pytest
import turbohtml
from hypothesis import example, given
from hypothesis import strategies as st

from rowen._core import html_token_at, html_tokens
from rowen.text.html_tokens import Kind, Token, lower, tokenize

CHARACTERS = ["a", "B", "é", "€", "😀", "\ud800", "\0", " ", "\n", "\r", "\r\n", "\t", "\f", "\v"]
MARKS = ["<", ">", "/", "!", "-", "--", "?", "=", '"', "'", "&", "&amp;", "[CDATA[", "]]>"]
TAGS = ["<a", "</a", "<p>", "</p>", "<br/>", "<b/ >", " x=1", ' y="z"', " w='q'", "</ ", "</>"]
COMMENTS = ["<!--", "-->", "--!>", "<!", "<?x", "<?", "<?xml", "?>", "<!doctype html>", "<!DOCTYPE"]
TEXT_ELEMENTS = [
    *("<script", "</script", "<script>", "</script>", "<SCRIPT>", "<title>", "</title>", "</TITLE"),
    *(
        "<textarea>",
        "</textarea >",
        "<style>",
        "</style >",
        "<xmp>",
        "</xmp>",
        "<iframe>",
        "<noembed",
    ),
    *("<noframes>", "<plaintext>"),
]
PIECES = CHARACTERS + MARKS + TAGS + COMMENTS + TEXT_ELEMENTS

pages = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)
texts = st.text(st.characters(exclude_categories=()))


def normalised(text):
    return text.replace("\r\n", "\n").replace("\r", "\n")


@given(st.one_of(pages, texts))
def test_tokens_are_a_partition_of_the_source(text):
    tokens = tokenize(text)
    assert "".join(token.span.of(text) for token in tokens) == text
    assert tokens.starts.tolist() == [token.span.start for token in tokens]
    assert tokens.ends.tolist() == [token.span.end for token in tokens]
    assert tokens.kinds.tolist() == [token.kind for token in tokens]
    assert all(token.span.length for token in tokens)


@given(st.one_of(pages, texts))
def test_the_token_at_a_place_is_that_of_the_whole_text(text):
    for kind, flags, start, end, _ in tokenize(text).rows():
        for place in range(start, end):
            assert html_token_at(text, place) == (kind, flags, start, end)


def test_the_end_of_a_text_has_no_token():
    with pytest.raises(IndexError, match="not a place in the text"):
        html_token_at("<p>", 3)


@given(pages)
def test_names_and_attributes_lie_in_their_tag_in_order(text):
    for token in tokenize(text):
        if token.kind not in (Kind.START_TAG, Kind.END_TAG):
            assert (token.name, token.attributes, token.self_closing) == ("", (), False)
            continue
        at = token.span.start + 1 + (token.kind is Kind.END_TAG)
        assert lower(text[at : at + len(token.name)]) == token.name
        at += len(token.name)
        for attribute in token.attributes:
            assert at <= attribute.span.start < attribute.span.end < token.span.end
            assert lower(attribute.span.of(text)).startswith(attribute.name)
            at = attribute.span.start + len(attribute.name)
            if attribute.value_span:
                assert at < attribute.value_span.start
                assert attribute.value_span.end <= attribute.span.end
                at = attribute.span.end


@given(pages, st.sampled_from(["", "é", "€", "😀"]))
def test_how_a_text_is_stored_makes_no_difference(text, wide):
    narrow = re.sub(r"[^\0-\x7f]", "~", text)
    expected = [(token.kind, token.span) for token in tokenize(narrow)]
    stored = narrow + f"<!--{wide}-->"
    tokens = [(token.kind, token.span) for token in tokenize(stored)]
    assert tokens[: len(expected) - 1] == expected[:-1]


# turbohtml as the reference. It joins texts across source that gives nothing, normalises newlines,
# and reports lines and columns.


def ours(text):
    found = []
    for token in tokenize(text):
        source = normalised(token.span.of(text))
        if token.kind is Kind.TEXT:
            source = source.replace("\0", "\ufffd")
            if found and found[-1][0] == "text":
                found[-1] = (*found[-1][:2], found[-1][2] + source)
            else:
                found.append(("text", token.span.start, source))
        elif token.kind is Kind.START_TAG:
            found.append(
                (source, token.span.start, token.name, values(token, text), token.self_closing)
            )
        elif token.kind is not Kind.JUNK:
            found.append((source, token.span.start, token.name))
    return found


def values(token: Token, text):
    counting = {}
    for attribute in token.attributes:
        value = attribute.value_span.of(text) if attribute.value_span else ""
        value = turbohtml.unescape(normalised(value)) if "&amp;" in value else normalised(value)
        counting.setdefault(attribute.name, value.replace("\0", "\ufffd"))
    return counting


def theirs(text):
    lines = [0, *(match.end() for match in re.finditer(r"\r\n|\r|\n", text))]
    found = []
    for token in turbohtml.tokenize(text, resolve_references=False, capture_source=True):
        start = lines[token.line - 1] + token.col
        if token.type in (turbohtml.TokenType.TEXT, turbohtml.TokenType.CHARACTER_REFERENCE):
            is_text = token.type is turbohtml.TokenType.TEXT
            source = (token.data if is_text else token.source).replace("\0", "\ufffd")
            if found and found[-1][0] == "text":
                found[-1] = (*found[-1][:2], found[-1][2] + source)
            else:
                found.append(("text", start, source))
        elif token.type is turbohtml.TokenType.START_TAG:
            found.append((token.source, start, token.tag, dict(token.attrs), token.self_closing))
        else:
            found.append((token.source, start, token.tag or ""))
    return found


@given(pages)
@example("a<b>c</ d>e</>f<!x>g<?pi foo?>h<!doctype>i<![CDATA[x]]>j<a")
@example("<script><!--<script></script>-</script></script>")
@example("<script><!--></script>")
@example("a<?")
@example("<?X-_1?a")
@example("<?XML-stylesheet ")
@example("<!--a--!><!--><!---><!----><!--a<!--->b-->")
@example("<a =b c= d=e/ f='g'h\r\n=\r\n\"i\" c=j>")
@example("<title>a</titl></title\r\n")
def test_tokens_agree_with_turbohtml(text):
    assert ours(text) == theirs(text)


def test_noscript_holds_markup():
    # Where scripts run it holds text: turbohtml's tokenizer assumes that, its parser and we don't.
    assert [token.name for token in tokenize("<noscript><b></noscript>")] == [
        "noscript",
        "b",
        "noscript",
    ]


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("", []),
        ("<", [Kind.TEXT]),
        ("</", [Kind.TEXT]),
        ("a<1", [Kind.TEXT]),
        ("<?x y?>", [Kind.COMMENT]),
        ("<?x y", [Kind.JUNK]),
        ("<?xml y", [Kind.COMMENT]),
        ("<?1", [Kind.COMMENT]),
        ("<!", [Kind.COMMENT]),
        ("</>", [Kind.JUNK]),
        ("a</>b", [Kind.TEXT, Kind.JUNK, Kind.TEXT]),
        ("a<b c='d", [Kind.TEXT, Kind.JUNK]),
        ("<!doctype", [Kind.DOCTYPE]),
        ("<title>a</title", [Kind.START_TAG, Kind.TEXT]),
        ("<title>a</title ", [Kind.START_TAG, Kind.TEXT, Kind.JUNK]),
        ("<plaintext></plaintext>", [Kind.START_TAG, Kind.TEXT]),
        ("<![CDATA[a>b]]>", [Kind.COMMENT, Kind.TEXT]),
    ],
)
def test_edges_of_the_standard(text, kinds):
    assert [token.kind for token in tokenize(text)] == kinds


def test_attributes_say_where_they_and_their_values_stand():
    text = "<A Href='x&amp;y' b c = d e=>"
    (token,) = tokenize(text)
    assert [(one.name, one.span.of(text)) for one in token.attributes] == [
        ("href", "Href='x&amp;y'"),
        ("b", "b"),
        ("c", "c = d"),
        ("e", "e="),
    ]
    spans = [one.value_span for one in token.attributes]
    assert [span and span.of(text) for span in spans] == ["x&amp;y", None, "d", ""]
    assert token.attribute("c") == token.attributes[2]
    assert token.attribute("f") is None


def test_of_two_attributes_with_one_name_the_first_counts():
    (token,) = tokenize("<a b=1 B=2>")
    assert len(token.attributes) == 2
    assert token.attribute("b") == token.attributes[0]


def test_only_ascii_letters_have_a_lower_case():
    assert [token.name for token in tokenize("<Aİ\0>")] == ["aİ\ufffd"]


def test_text_of_scripts_is_literal_and_that_of_titles_is_not():
    tokens = tokenize("<script>&amp;</script><title>&amp;</title>&amp;")
    literal = [token.literal for token in tokens if token.kind is Kind.TEXT]
    assert literal == [True, False, False]


def test_tokens_are_a_sequence():
    tokens = tokenize("<p>a</p>")
    assert tokens[-1] == tokens[2] == list(tokens)[2]
    assert tokens[::2] == [tokens[0], tokens[2]]
    with pytest.raises(IndexError):
        tokens[3]


def test_only_text_is_tokenized():
    with pytest.raises(TypeError):
        html_tokens(b"<p>")  # type: ignore[arg-type]


def test_hints_come_with_their_places():
    with pytest.raises(ValueError, match="hint"):
        html_tokens("<p>", hints=np.zeros(1, np.uint8))
    with pytest.raises(ValueError, match="hint"):
        html_tokens("<p>", hints=np.zeros(1, np.uint8), hint_starts=np.zeros(2, np.int32))


@pytest.mark.parametrize(
    "piece",
    [
        *(
            "<",
            "</",
            "<!",
            "<!-",
            "<!--",
            "<!--<!--",
            "<!-- -",
            "--",
            "<?",
            "<a ",
            "<a b",
            "<a b='",
            "</a ",
        ),
        *("a=", "a=b ", "= ", "/ ", '"', "<a b=\"'>", "<![CDATA[", "]]", "&", "<!doctype '"),
        *(
            "<script><!--<script ",
            "<script><!--</script",
            "<!--<script>",
            "</script",
            "<title></titl",
        ),
        *("<title></title ", "<style></styl>", "</>", "<p>", "<p a b c>", "\0", "\r\n"),
    ],
)
@pytest.mark.parametrize("start", ["", "<a ", "<script>", "<script><!--", "<textarea>", "<!--"])
def test_hostile_text_of_a_megabyte_takes_no_more_than_linear_time(start, piece):
    text = start + piece * (1_000_000 // len(piece))
    tokens = tokenize(text)
    assert tokens.ends[-1] == len(text)
