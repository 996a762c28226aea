"""Lines between separators: beside a slow reference on random trees, and as regions of wrappers."""

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

import rowen
from rowen import Page
from rowen.wrappers.region.spot import Step, tag_name
from rowen.wrappers.region.tree import Tree, lines_between
from rowen.wrappers.region.wrapper import Pattern

PIECES = ["<p>", "</p>", "<b>", "</b>", "<br>", "<br/>", "<hr>", "x", "y, z", " ", "<!-- c -->"]
MARKUP = st.lists(st.sampled_from(PIECES), max_size=20).map("".join)


def lines_of(tree, name, *, whole):
    """Element by element: its children are split at the separators, then the texts are counted."""
    found = []
    for parent in range(tree.size):
        if not tree.is_open[parent]:
            continue
        inside = range(parent + 1, int(tree.closes[parent]))
        cuts = [
            tag for tag in inside if tree.parents[tag] == parent and tag_name(tree, tag) == name
        ]
        if not cuts:
            continue
        lines, current = [], []
        for head, end in zip([parent, *cuts], [*cuts, int(tree.closes[parent])], strict=True):
            if any(tree.filled[tag] for tag in range(head, end)):
                current.append((head, end))
                if not whole:
                    lines.append(current)
                    current = []
            elif current:
                lines.append(current)
                current = []
        lines += [current] if current else []
        found += [(line[0][0], line[-1][1]) for line in lines]
    return sorted(
        (head, end) for head, end in found if not any(head < other < end for other, _ in found)
    )


@settings(max_examples=200)
@given(MARKUP, st.sampled_from(["br", "hr"]), st.booleans())
def test_lines_are_what_is_between_separators_and_has_text(text, name, whole):
    tree = Tree(text)
    tags = [tag for tag in range(1, tree.size) if tree.is_element[tag]]
    own = np.array([tag for tag in tags if tag_name(tree, tag) == name], np.intp)
    regions = lines_between(tree, own, whole=whole)
    pairs = list(zip(regions.heads.tolist(), regions.ends.tolist(), strict=True))
    assert pairs == lines_of(tree, name, whole=whole)
    by_pattern = Pattern((Step(name),), "paragraph" if whole else "line").find(tree)
    assert by_pattern.heads.tolist() == regions.heads.tolist()


PEOPLE = [("Ada Lovelace", "1815"), ("Alan Turing", "1912"), ("Grace Hopper", "1906")]


def page_of(people, between):
    lines = between.join(f"{name}, <i>{year}</i>" for name, year in people)
    return f"<html><body><h1>People</h1><p class=list>{lines}</p><p>Foot</p></body></html>"


def texts_of(records, *names):
    """The texts of some fields, as they stand on the page."""
    found = []
    for record in records:
        texts = {
            name: " ".join(record.page.text[span.start : span.end] for span in spans)
            for name, spans in record.items()
        }
        found.append(tuple(texts[name] for name in names))
    return found


@pytest.mark.parametrize("between", ["<br>", "<br/>\n", "<hr>", "<BR>"])
def test_lines_between_separators_are_records(between, tmp_path):
    table, *_ = rowen.discover([page_of(PEOPLE, between)])
    names = [column.name for column in table.columns]
    assert texts_of(table.records, *names) == PEOPLE
    # The saved wrapper finds those of another page.
    table.wrapper().save(tmp_path / "people.json")
    wrapper = rowen.load(tmp_path / "people.json")
    assert wrapper.record.reach == "line"
    others = [("Edsger Dijkstra", "1930"), ("Ada", "1815")]
    assert texts_of(wrapper.extract(page_of(others, between)), *names) == others


def test_lines_up_to_an_empty_one_are_a_record_and_labels_may_be_missing():
    people = [("Ada", "1815", "London"), ("Alan", "", "Leeds"), ("Grace", "1906", "")] * 2
    texts = []
    for number, (name, year, town) in enumerate(people):
        lines = [
            f"Name: {name} {number}",
            f"Born: {year}" * bool(year),
            f"Town: {town}" * bool(town),
        ]
        texts.append("<br>".join(filter(None, lines)))
    table, *_ = rowen.discover([f"<html><body><div>{'<br><br>'.join(texts)}</div></body></html>"])
    wanted = [(f"{name} {number}", *rest) for number, (name, *rest) in enumerate(people)]
    assert texts_of(table.records, "name", "born", "town") == wanted


@given(st.lists(st.text(max_size=6) | st.sampled_from(["<br>", "<hr>", "<p>"]), max_size=40))
def test_any_page_of_separators_has_an_answer(pieces):
    for table in rowen.discover([Page("".join(pieces))]):
        assert len(table.records) >= 2
