import contextlib
import random
from functools import partial

import pytest

import rowen
from rowen.learning.recognizers.noisy import learn_from_recognizers
from rowen.learning.recognizers.recognizer import Recognizer, Soundness, from_pattern
from rowen.model import InputError, NoConsistentWrapper, Page, UsageError
from rowen.records import Example
from rowen.wrappers.lr import LR

pytestmark = pytest.mark.slow

HLRT = partial(rowen.learn, wrapper_class="hlrt")
WRAPPER = LR(["name"], left=["<b>"], right=["</b>"])
FIELDS = ("name", "mail", "born", "phone")
TAGS = {
    "name": "<td><b>%</b>",
    "mail": "<td><a>%</a>",
    "born": "<td><i>%</i>",
    "phone": "<td>%</td>",
}
ADS = ["<b>Buy now</b>", "<i>Win a car</i> <a>here</a>", "<td>Sale</td>", ""]


def make_page(rng, number):
    """A page of a made-up directory, and its label."""
    text = f"<html><title>People</title>{rng.choice(ADS)}<h1>Found</h1><p><b>Here:</b></p><table>\n"
    records = []
    for _ in range(rng.randint(3, 12)):
        values = {
            "name": "".join(rng.choices("abcdefgh", k=6)),
            "mail": "".join(rng.choices("abcdefgh", k=4)) + "@x.org",
            "born": f"{rng.randint(1, 28)}/{rng.randint(1, 12)}/1970",
            "phone": f"{rng.randint(200, 999)}-{rng.randint(1000, 9999)}",
        }
        record = {}
        text += "<tr>"
        for field in FIELDS:
            left, right = TAGS[field].split("%")
            text += left
            record[field] = (len(text), len(text) + len(values[field]))
            text += values[field] + right
        text += "</tr>\n"
        records.append(record)
    text += f"</table><hr>{rng.choice(ADS)}<p><b>End</b></p></html>"
    return Page(text, id=f"p{number}"), records


def mutate(rng, page, spans, soundness, rate):
    """Figure 7.5's noise: a fraction is dropped, or random spans are added to be a fraction."""
    if soundness == "incomplete":
        return rng.sample(spans, len(spans) - round(rate * len(spans)))
    extra = [
        rng.randrange(len(page.text) - 20) for _ in range(round(rate / (1 - rate) * len(spans)))
    ]
    return [*spans, *((start, start + rng.randint(5, 15)) for start in extra)]


def noisy_recognizers(rng, pages, rate, kinds):
    spans_by_field = {}
    for page, records in pages:
        for field in FIELDS:
            spans = [record[field] for record in records]
            noisy = mutate(rng, page, spans, kinds[field], rate) if field in kinds else spans
            spans_by_field[page.text, field] = noisy

    def finder(field):
        return lambda text: spans_by_field[text, field]

    return [
        Recognizer(field, finder(field), Soundness(kinds.get(field, "perfect"))) for field in FIELDS
    ]


def is_perfect(wrapper, pages):
    return all(
        [
            {name: tuple(span) for name, span in record.spans.items()}
            for record in wrapper.extract(page)
        ]
        == records
        for page, records in pages
    )


@pytest.mark.parametrize("rate", [0, 0.1, 0.2, 0.3, 0.4])
def test_noise_on_all_but_one_field_still_gives_a_perfect_wrapper(rate):
    rng = random.Random(f"noise {rate}")
    for _ in range(6):
        pages = [make_page(rng, number) for number in range(12)]
        held_out = [make_page(rng, number) for number in range(30)]
        kinds = {f: rng.choice(["incomplete", "unsound"]) for f in rng.sample(FIELDS, 3)}
        recognizers = noisy_recognizers(rng, pages, rate, kinds)
        learned = learn_from_recognizers([page for page, _ in pages], recognizers, HLRT)
        assert is_perfect(learned.wrapper, held_out)


def test_unreliable_recognizers_take_part():
    rng = random.Random(5)
    pages = [make_page(rng, number) for number in range(10)]
    recognizers = noisy_recognizers(rng, pages, 0.3, {"born": "unsound", "mail": "incomplete"})
    born = recognizers[2]
    recognizers[2] = Recognizer("born", lambda text: born.source(text)[1:], Soundness.UNRELIABLE)
    learned = learn_from_recognizers([page for page, _ in pages], recognizers, HLRT)
    assert is_perfect(learned.wrapper, [make_page(rng, number) for number in range(10)])


def test_patterns_alone_are_enough():
    rng = random.Random(6)
    pages = [make_page(rng, number)[0] for number in range(8)]
    recognizers = [
        from_pattern("mail", r"\w+@x\.org", soundness=Soundness.PERFECT),
        from_pattern("name", r"(?<![\w@])[a-h]{6}(?!\w)", soundness=Soundness.UNSOUND),
        from_pattern("phone", r"[5-9]\d\d-\d{4}", soundness=Soundness.INCOMPLETE),
    ]
    learned = learn_from_recognizers(pages, recognizers, HLRT)
    page, records = make_page(rng, 99)
    expected = [{name: record[name] for name in ("name", "mail", "phone")} for record in records]
    assert [dict(record.spans) for record in learned.wrapper.extract(page)] == expected


def test_two_one_sided_recognizers_that_agree_do_what_a_perfect_one_does():
    rng = random.Random(9)
    pages = [make_page(rng, number)[0] for number in range(8)]
    odd = Page(pages[0].text.replace("Here:", "Mail zz@x.org"), id="odd")
    strict = from_pattern("mail", r"[a-h]+@x\.org", soundness=Soundness.INCOMPLETE)
    loose = from_pattern("mail", r"\w+@x\.org", soundness=Soundness.UNSOUND)
    born = from_pattern("born", r"\d+/\d+/\d{4}", soundness=Soundness.UNSOUND)
    learned = learn_from_recognizers([*pages, odd], [strict, loose, born], HLRT)
    assert [page.id for page in learned.left_out] == ["odd"]
    page, records = make_page(rng, 99)
    expected = [{name: record[name] for name in ("mail", "born")} for record in records]
    assert [dict(record.spans) for record in learned.wrapper.extract(page)] == expected


@pytest.mark.parametrize("name", ["m-lr", "m-hlrt"])
def test_what_incomplete_recognizers_miss_may_be_missing_indeed(name):
    rows = [
        [("Ann", "17", None), ("Bob", None, "x1"), ("Cid", "4", "x2"), ("Dan", None, "x1")],
        [("Eve", "2", "x3"), ("Fay", "33", None), ("Gus", None, "x4")],
    ]
    pages = []
    for number, page_rows in enumerate(rows):
        text = "<table>"
        for row in page_rows:
            pairs = zip("biu", row, strict=True)
            text += "".join(f"<{tag}>{value}</{tag}>" for tag, value in pairs if value) + "<br>"
        pages.append(Page(text + "</table>", id=str(number)))
    recognizers = [
        from_pattern("name", r"[A-Z][a-z]+", soundness=Soundness.PERFECT),
        from_pattern("age", r"\b\d\d\b", soundness=Soundness.INCOMPLETE),
        from_pattern("sign", r"x[13]", soundness=Soundness.INCOMPLETE),
    ]
    wrapper = learn_from_recognizers(
        pages, recognizers, partial(rowen.learn, wrapper_class=name)
    ).wrapper
    for page, page_rows in zip(pages, rows, strict=True):
        assert [tuple(record.values.values()) for record in wrapper.extract(page)] == page_rows


def test_only_what_was_recognized_is_evidence():
    rng = random.Random(10)
    pages = [make_page(rng, number) for number in range(6)]
    recognizers = noisy_recognizers(rng, pages, 0.4, {"mail": "incomplete", "phone": "incomplete"})
    evidence = learn_from_recognizers(
        [page for page, _ in pages], recognizers, HLRT
    ).wrapper.evidence
    assert evidence.known["name"] == evidence.records
    assert evidence.known["mail"] < evidence.records * 0.8
    assert evidence.framed < evidence.pages


def test_a_page_that_does_not_fit_is_left_out():
    rng = random.Random(7)
    pages = [make_page(rng, number) for number in range(5)]
    stranger = Page("<p>ab@x.org, <u>hgfedc</u> ba@x.org</p>", id="stranger")
    recognizers = [
        from_pattern("mail", r"\w+@x\.org", soundness=Soundness.PERFECT),
        from_pattern("name", r"(?<![\w@])[a-h]{6}(?!\w)", soundness=Soundness.UNSOUND),
    ]
    learned = learn_from_recognizers([*[page for page, _ in pages], stranger], recognizers, HLRT)
    assert [page.id for page in learned.left_out] == ["stranger"]


def test_the_learner_has_the_last_word():
    rng = random.Random(8)
    pages = [make_page(rng, number) for number in range(4)]
    recognizers = noisy_recognizers(rng, pages, 0, {})
    calls = []

    def picky(examples):
        calls.append([example.page.id for example in examples])
        if len(examples) > 2:
            raise NoConsistentWrapper("no", pages=(examples[0].page.id,))
        return WRAPPER

    learned = learn_from_recognizers([page for page, _ in pages], recognizers, picky)
    assert learned.wrapper is WRAPPER
    assert calls == [["p0", "p1", "p2", "p3"], ["p1", "p2", "p3"], ["p2", "p3"]]
    assert [page.id for page in learned.left_out] == ["p0", "p1"]


def test_what_can_not_be_learned_is_said():
    number = from_pattern("n", r"\d+", soundness=Soundness.PERFECT)
    with pytest.raises(InputError, match="at least one page"):
        learn_from_recognizers([], [number], HLRT)
    with pytest.raises(InputError, match="perfect"):
        learn_from_recognizers(["<b>x</b>"], [number], HLRT)
    with pytest.raises(InputError, match="perfect"):
        learn_from_recognizers(["<b>1</b>"], [from_pattern("n", r"\d+")], HLRT)
    with pytest.raises(NoConsistentWrapper):
        learn_from_recognizers(["<b>1</b>"], [number, from_pattern("x", "nowhere")], HLRT)


def test_noise_that_never_ends_is_survived():
    page = "<p>" + "".join(f"<b>{n}</b>, " for n in range(1500)) + "</p>"
    recognizers = [
        from_pattern("n", r"\d+", soundness=Soundness.PERFECT),
        from_pattern("c", ".", soundness=Soundness.UNSOUND),
        from_pattern("d", ",", soundness=Soundness.UNRELIABLE),
    ]
    with contextlib.suppress(NoConsistentWrapper):
        learn_from_recognizers([page], recognizers, HLRT)


MAIL = from_pattern("mail", r"\w+@x\.org", soundness=Soundness.PERFECT)
NAME = from_pattern("name", r"(?<![\w@])[a-h]{6}(?!\w)", soundness=Soundness.UNSOUND)


def test_learn_takes_recognizers_and_unlabelled_pages():
    rng = random.Random(7)
    pages = [make_page(rng, number)[0] for number in range(5)]
    wrapper = rowen.learn(recognizers=[MAIL, NAME], pages=pages)
    assert wrapper.wrapper_class == "hlrt"
    assert wrapper.warnings == ()
    assert wrapper.profile.pages == 5
    page, records = make_page(rng, 99)
    expected = [{name: record[name] for name in ("name", "mail")} for record in records]
    assert [dict(record.spans) for record in wrapper.extract(page)] == expected
    chosen = rowen.learn(recognizers=[MAIL, NAME], pages=pages, wrapper_class="m-lr")
    assert chosen.wrapper_class == "m-lr"


def test_pages_that_learn_left_out_are_a_warning_which_is_not_about_labels():
    rng = random.Random(7)
    pages = [make_page(rng, number)[0] for number in range(5)]
    stranger = Page("<p>ab@x.org, <u>hgfedc</u> ba@x.org</p>", id="stranger")
    wrapper = rowen.learn(recognizers=[MAIL, NAME], pages=[*pages, stranger])
    (warning,) = wrapper.warnings
    assert warning.kind == "pages-left-out"
    assert "1 of 6 pages were left out" in warning.message
    assert warning.message.endswith(": stranger")
    assert not warning.is_about_labels


def test_labelled_pages_and_recognized_ones_are_learned_from_together():
    rng = random.Random(11)
    pages = [make_page(rng, number) for number in range(6)]
    page, records = pages[0]
    labelled = Example(
        page, [{name: record[name] for name in ("name", "mail")} for record in records]
    )
    wrapper = rowen.learn([labelled], recognizers=[MAIL], pages=[page for page, _ in pages])
    assert wrapper.fields == ("name", "mail")
    assert wrapper.evidence.pages == 6  # the labelled page counts once
    assert wrapper.evidence.known["name"] == len(records)
    held_out, expected = make_page(rng, 99)
    assert [dict(record.spans) for record in wrapper.extract(held_out)] == [
        {name: record[name] for name in ("name", "mail")} for record in expected
    ]


def test_ready_recognizers_are_given_by_their_name():
    text = "<ul><li>ISBN 0-306-40615-2</li><li>ISBN 0-13-110362-8</li></ul>"
    books = rowen.recognizers.ready("isbn", field="book", soundness="perfect")
    wrapper = rowen.learn(recognizers=[books], pages=[text])
    assert [record.values["book"] for record in wrapper.extract(text)] == [
        "0-306-40615-2",
        "0-13-110362-8",
    ]
    with pytest.raises(InputError, match="no field is recognized perfectly"):
        rowen.learn(recognizers=["isbn"], pages=[text])  # it is declared unsound


def test_what_learn_can_not_do_with_recognizers_is_said():
    with pytest.raises(UsageError, match="estimate needs labels"):
        rowen.learn(recognizers=[MAIL], pages=["<b>a@x.org</b>"], estimate=True)
    with pytest.raises(UsageError, match="seconds must be greater than 0"):
        rowen.learn(recognizers=[MAIL], pages=["<b>a@x.org</b>"], seconds=0)
