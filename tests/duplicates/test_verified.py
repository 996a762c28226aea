"""Near-duplicates that may answer: similar by their words, apart from all others, never forged."""

import random

import hypothesis.strategies as st
import pytest
from hypothesis import given

from rowen import UsageError
from rowen.duplicates.fingerprint import Fingerprint, similarity
from rowen.duplicates.simhash import simhash
from rowen.duplicates.verified import Match, VerifiedDuplicates


def made_up(seed, words=1500):
    drawn = random.Random(seed)
    return [f"w{drawn.randrange(5000)}" for _ in range(words)]


def changed(words, seed, count):
    """Some words replaced by others."""
    drawn = random.Random(seed)
    found = list(words)
    for at in drawn.sample(range(len(found)), count):
        found[at] = f"new{at}"
    return found


def index_of(texts, **options):
    index = VerifiedDuplicates(**options)
    for name, words in texts.items():
        index.add(name, Fingerprint.of(" ".join(words)))
    return index


@given(st.integers(0, 1000))
def test_a_revision_is_answered_with_its_document_and_another_text_with_none(seed):
    texts = {number: made_up(f"{seed} {number}") for number in range(10)}
    index = index_of(texts)
    revised = Fingerprint.of(" ".join(changed(texts[3], seed, 20)))
    found = index.match(revised)
    assert found is not None
    assert found.id == 3
    assert found.similarity > 0.85
    assert found.distance == revised.distance(Fingerprint.of(" ".join(texts[3])))
    assert index.match(Fingerprint.of(" ".join(made_up(-1 - seed)))) is None


def test_the_same_text_is_found_among_many_and_no_longer_once_it_is_removed():
    index = VerifiedDuplicates()
    drawn = random.Random(1)
    for number in range(20_000):
        index.add(number, Fingerprint(drawn.getrandbits(64), drawn.randbytes(32)))
    mine = Fingerprint.of(" ".join(made_up(1)))
    assert index.match(mine) is None
    index.add("mine", mine)
    assert index.match(mine) == Match("mine", 0, 1.0)
    assert index.remove("mine", mine)
    assert index.match(mine) is None
    assert len(index) == 20_000
    assert index.memory < 100 * 20_000 + 4 * 4 * (1 << 16) + 4096


def test_the_tables_of_many_texts_find_nearly_all_revisions():
    drawn = random.Random(2)
    index = VerifiedDuplicates()
    for number in range(20_000):
        index.add(number, Fingerprint(drawn.getrandbits(64), drawn.randbytes(32)))
    texts = [made_up(seed) for seed in range(200)]
    for number, words in enumerate(texts):
        index.add(f"text {number}", Fingerprint.of(" ".join(words)))
    index.match(Fingerprint.of("settle"))
    found = [
        index.match(Fingerprint.of(" ".join(changed(words, number, 25))))
        for number, words in enumerate(texts)
    ]
    right = sum(one is not None and one.id == f"text {n}" for n, one in enumerate(found))
    assert right >= 195


def forge(victim, seed, most):
    """Another text with filler words that bring its simhash within 3 bits of the victim's."""
    drawn = random.Random(seed)
    words, target = made_up(f"own {seed}", 300), simhash(" ".join(victim))
    best = (simhash(" ".join(words)) ^ target).bit_count()
    tried = 0
    while best > 3 and tried < most:
        tried += 1
        filler = [f"f{drawn.getrandbits(40)}" for _ in range(8)]
        distance = (simhash(" ".join(words + filler)) ^ target).bit_count()
        if distance <= best:
            words, best = words + filler, distance
    return words, best


@pytest.mark.parametrize("seed", range(3))
def test_a_text_that_was_forged_to_the_same_simhash_is_never_answered(seed):
    victim = made_up(f"victim {seed}")
    forged, distance = forge(victim, seed, 20_000)
    assert distance <= 3
    index = index_of({"victim": victim}, threshold=0.3)
    assert index.match(Fingerprint.of(" ".join(forged))) is None


FORM = " ".join(f"clause{number} says what is usual" for number in range(300))


def test_filled_in_forms_stand_in_each_others_way_and_share_no_header():
    forms = [f"Application for a permit\nName: person{n}\nDate: {n}\n{FORM}" for n in range(4)]
    assert similarity(forms[0], forms[1]) > 0.95
    index = index_of({n: text.split() for n, text in enumerate(forms[:3])})
    assert index.match(Fingerprint.of(forms[3])) is None


def test_the_nearest_candidates_are_returned_whatever_is_beside_them():
    words = made_up(9)
    texts = {number: changed(words, number, 10 * number) for number in range(5)}
    index = index_of({**texts, "copy": words, "other": made_up(10)})
    own = Fingerprint.of(" ".join(words))
    assert index.match(own) is None
    found = index.nearest(own, 4, threshold=0.5)
    assert [one.id for one in found] == ["copy", 0, 1, 2]
    assert found[0] == Match("copy", 0, 1.0)
    assert index.nearest(Fingerprint.of(""), 4) == []


def test_copies_of_one_text_do_not_stand_in_its_way():
    words = made_up(7)
    index = index_of({"first": words, "copy": words})
    found = index.match(Fingerprint.of(" ".join(changed(words, 1, 5))))
    assert found is not None
    assert found.id == "first"


def test_without_a_margin_the_most_similar_text_is_answered():
    words = made_up(8)
    index = index_of({"old": changed(words, 1, 10), "new": words}, margin=0)
    found = index.match(Fingerprint.of(" ".join(words)))
    assert found == Match("new", 0, 1.0)


def test_a_text_without_words_matches_nothing():
    index = index_of({"empty": []})
    assert index.match(Fingerprint.of(" .")) is None


@pytest.mark.parametrize(("threshold", "margin"), [(0, 0), (1.1, 0), (0.5, 0.5), (0.5, -1)])
def test_a_threshold_or_a_margin_that_means_nothing_is_refused(threshold, margin):
    with pytest.raises(UsageError, match="threshold"):
        VerifiedDuplicates(threshold=threshold, margin=margin)
