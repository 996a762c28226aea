"""Random HTML: what is well formed, what is not, and what browsers treat in ways of their own."""

from hypothesis import strategies as st

SPACES = [" ", "\n", "\r", "\r\n", "\t", "\0", "&#32;", "&#10;", "&Tab;", "&#13;"]
PHRASES = [
    "<a>",
    "</a>",
    "<b>",
    "</b>",
    "<i>",
    "</i>",
    "<font color=x>",
    "<br>",
    "</br>",
    "<button>",
]
BLOCKS = ["<p>", "</p>", "<div>", "</div>", "<li>", "<pre>", "</pre>", "<listing>", "<form>"]
TABLES = [
    *(
        "<table>",
        "</table>",
        "<tr>",
        "<td>",
        "</td>",
        "<tbody>",
        "<colgroup>",
        "<col>",
        "<caption>",
    ),
    '<input type="hidden">',
]
TEXT_ELEMENTS = [
    *(
        "<script>",
        "</script>",
        "<title>",
        "</title>",
        "<textarea>",
        "</textarea>",
        "<style>",
        "</style>",
    ),
    *("<plaintext>", "<noscript>", "</noscript>"),
]
FRAMES = [
    *(
        "<html w=2>",
        "<head>",
        "</head>",
        "<body q=1>",
        "</body>",
        "</html>",
        "<frameset>",
        "<frame>",
    ),
    *("</frameset>", "<template>", "</template>", "<select>", "<option>", "</select>"),
]
FOREIGN = [
    "<svg>",
    "</svg>",
    "<svg/>",
    "<svg a=b/>",
    "<math>",
    "<mi>",
    "</mi>",
    "<desc>",
    "<foreignObject>",
]
OTHERS = [
    *(
        "<!doctype html>",
        "<!--",
        "-->",
        "<?x y?>",
        "</>",
        "</ z>",
        "</x>",
        "<",
        ">",
        "&",
        "é",
        "😀",
    ),
    *("<a href='q\r\nw&amp;' Href=2 c d = e>", "<svg viewbox=1 xlink:href=#a>", "\ufffd"),
]
WORD = "word"
CDATA = ["<![CDATA[x>y]]>", "<![CDATA["]
MARKUP = (
    SPACES + PHRASES + BLOCKS + TABLES + TEXT_ELEMENTS + FRAMES + FOREIGN + OTHERS + [WORD] * 20
)


def numbered(pieces):
    """Words that stand once each, so that what a text says tells where it stood."""
    return "".join(
        f"w{number}x{number}&lt;" if piece == WORD else piece for number, piece in enumerate(pieces)
    )


def pages_of(pieces):
    return st.lists(st.sampled_from(pieces), max_size=30).map(numbered)


pages = pages_of(MARKUP)
