"""What the line stands beside: spaCy and Presidio as one would call them without us."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable, Sequence

from privstamp.sensitivity.ner import find_model, recogniser
from privstamp.sensitivity.recognizers import offline_email

Run = Callable[[Sequence[str]], object]


def spacy_ner() -> Run:
    """spaCy's recogniser and what it listens to, if to anything; no other part of the pipeline."""
    nlp = recogniser(find_model("en", None))
    return lambda texts: [
        [(e.start_char, e.end_char, e.label_) for e in doc.ents] for doc in nlp.pipe(texts)
    ]


def presidio() -> Run:
    """Presidio's own engine over the same model, text by text, every recogniser it comes with.

    Its recogniser of e-mail addresses alone is replaced, by one that asks no server for the list
    of domains.
    """
    from presidio_analyzer import AnalyzerEngine
    from presidio_analyzer.nlp_engine import NlpEngineProvider

    logging.getLogger("presidio-analyzer").setLevel(logging.ERROR)
    model = {"lang_code": "en", "model_name": str(find_model("en", None))}
    settings = {"nlp_engine_name": "spacy", "models": [model]}
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=r"\[W095\]")
        engine = NlpEngineProvider(nlp_configuration=settings).create_engine()
    analyzer = AnalyzerEngine(nlp_engine=engine, supported_languages=["en"])
    analyzer.registry.remove_recognizer("EmailRecognizer")
    analyzer.registry.add_recognizer(offline_email())
    return lambda texts: [analyzer.analyze(text, language="en") for text in texts]
