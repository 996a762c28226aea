"""Chains in runs: night after night, the store has what a run from scratch would give it."""

import random

import pytest
from random_chains import EXTRACTORS, LETTERS, edited

import rowen
from rowen import Chain, Pattern, Store


@rowen.extractor(name="careful", locality=rowen.WholePage(), version="1")
def careful(text):
    """Fails on texts with a certain word, which comes and goes."""
    if "<a>" in text:
        raise ValueError("no")
    yield {"x": (0, min(2, len(text)))}


def rows(store, name):
    table = store.records(name).to_pylist()
    return sorted((row["page"], str(row)) for row in table)


@pytest.mark.parametrize("seed", range(2))
def test_nights_of_random_edits(tmp_path, seed):
    source = random.Random(seed)
    second = Chain(source.choice(EXTRACTORS), source.choice(EXTRACTORS[:3]), "x", name="second")
    third = Chain(source.choice([*EXTRACTORS, careful]), second, "x", name="third")
    chains = [third, second, Chain(careful, EXTRACTORS[0], "x", name="failing")]
    pages = {f"{n}.txt": "".join(source.choices(LETTERS, k=400)) for n in range(12)}
    store = Store(tmp_path / "store")
    skipped, first = 0, dict(pages)
    for night in range(5):
        if night == 4:  # texts that the store knows from before, and copies of them
            pages = {**first, **{f"copy of {name}": text for name, text in first.items()}}
        folder = tmp_path / str(night)
        folder.mkdir()
        for name, text in pages.items():
            (folder / name).write_bytes(text.encode())
        report = store.run(chains, str(folder), jobs=1, matcher=("anchor", "line")[night % 2])
        fresh = Store(tmp_path / f"fresh{night}")
        fresh.run(chains, str(folder), jobs=1)
        for chain in chains:
            assert rows(store, chain.name) == rows(fresh, chain.name), (night, chain)
        skipped += sum(tally.kept_characters for tally in report.tallies.values())
        pages = {
            name if source.random() < 0.8 else f"{night}-{name}": edited(source, text)
            for name, text in pages.items()
        }
    assert skipped


def test_a_chain_keeps_what_unchanged_texts_gave(tmp_path):
    chain = Chain(
        Pattern(r"(?P<year>\d{4})", name="years"),
        Pattern(r"<p>(?P<text>[^<]*)</p>", name="blocks"),
        "text",
    )
    for night, word in enumerate(("came", "went")):
        (tmp_path / str(night)).mkdir()
        text = "".join(f"<p>{1000 + n} {word if n == 77 else 'was'}</p>" for n in range(300))
        (tmp_path / str(night) / "a.html").write_text(text)
    store = Store(tmp_path / "store")
    store.run([chain], str(tmp_path / "0"), jobs=1)
    report = store.run([chain], str(tmp_path / "1"), jobs=1, matcher="anchor")
    assert report.tallies["years"].extracted_characters < 100
    assert store.records("years").num_rows == 300
