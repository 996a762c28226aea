"""Lines: what is between separators in an element, such as `<br>` and `<hr>`.

    <p>Ada, 1815<br>Alan, 1912<br><br>Grace, 1906</p>

    lines          Ada, 1815    Alan, 1912    Grace, 1906
    paragraphs     Ada, 1815 and Alan, 1912; Grace, 1906

Each begins after its first tag: the start tag of the element around it, or a separator. What has
no text is no line; it ends a paragraph.
"""

import numpy as np

from rowen.wrappers.region.tree import Numbers, Regions, Tree


def lines_between(tree: Tree, separators: Numbers, *, whole: bool) -> Regions:
    """The lines of all elements with some of the separators, or the `whole` paragraphs of them."""
    around = tree.parents[separators].astype(np.intp)
    parents = np.unique(around)
    heads = np.concatenate([parents, separators])
    owners = np.concatenate([parents, around])
    order = np.lexsort((heads, owners))
    heads, owners = heads[order], owners[order]
    ends = tree.closes[owners].astype(np.intp)
    same = owners[1:] == owners[:-1]
    ends[:-1][same] = heads[1:][same]
    texts = np.concatenate([[0], np.cumsum(tree.filled)])
    has_text = texts[ends] > texts[heads]
    if whole and len(heads):
        # A line with text right after another one of the same element belongs to its paragraph.
        is_first = has_text.copy()
        is_first[1:] &= ~(has_text[:-1] & same)
        is_last = has_text.copy()
        is_last[:-1] &= ~(has_text[1:] & same)
        heads, ends = heads[is_first], ends[is_last]
    else:
        heads, ends = heads[has_text], ends[has_text]
    order = np.argsort(heads)
    heads, ends = heads[order], ends[order]
    # What begins before the end of a region is inside it: then the region is around other lines.
    following = np.append(heads[1:], tree.size)
    inner = following >= ends
    return Regions(heads[inner].astype(np.intp), ends[inner], around=False, lines=True)
