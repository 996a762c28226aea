"""Named entities with a spaCy pipeline. Models are slow, so recycling saves most here.

    pip install spacy
    python -m spacy download en_core_web_sm
    cd examples
    rowen run entities:entities --snapshot pages --store ../entities-store

SPACY_MODEL names another pipeline. Each kind of entity is a field: person, org, gpe and so on.
"""

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

import rowen

if TYPE_CHECKING:
    from spacy.language import Language

LINES = rowen.Segments("\n")


def entities_of(pipeline: "Language", *, version: str) -> rowen.Extractor:
    """The entities of each line; the version identifies the pipeline and its settings.

    The pipeline sees one line at a time, so the locality holds whatever the pipeline does. Lines
    are not put into batches: a model may round differently in a batch, and then a line's entities
    would depend on the lines beside it.
    """

    @rowen.extractor(name="entities", version=version, locality=LINES)
    def entities(text: str) -> Iterator[dict[str, tuple[int, int]]]:
        for line in LINES.split(text):
            if not line.length:
                continue
            for entity in pipeline(line.of(text)).ents:
                place = (line.start + entity.start_char, line.start + entity.end_char)
                yield {entity.label_.lower(): place}

    return entities


def load_pipeline(model: str) -> "tuple[Language, str]":
    """A pipeline that is installed, with a version that changes when its entities may."""
    try:
        import spacy
    except ImportError:
        raise rowen.ExtractorError("spaCy is missing: pip install spacy") from None
    try:
        pipeline = spacy.load(model)
    except OSError:
        raise rowen.ExtractorError(
            f"spaCy's pipeline {model!r} is missing: python -m spacy download {model}"
        ) from None
    return pipeline, f"{model} {pipeline.meta['version']}, spaCy {spacy.__version__}"


def __getattr__(name: str) -> rowen.Extractor:
    """`entities` is loaded when it is asked for: that takes seconds."""
    if name != "entities":
        raise AttributeError(name)
    pipeline, version = load_pipeline(os.environ.get("SPACY_MODEL", "en_core_web_sm"))
    return entities_of(pipeline, version=version)
