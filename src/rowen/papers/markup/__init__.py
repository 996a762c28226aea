r"""Papers from sources that name their parts: JATS XML and LaTeX.

    <article-title>On Pages</article-title>     title      On Pages
    \section{Results} as shown \cite{ada}       section    Results, with a marker

Nothing is guessed but the fields of reference strings, where the source does not mark them.
"""

from rowen.papers.markup.written import Written, WrittenSection

__all__ = ["Written", "WrittenSection"]
