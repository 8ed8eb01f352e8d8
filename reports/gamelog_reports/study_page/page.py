"""The page about a study: four answers, then each topic with its measures. It has no script."""

from __future__ import annotations

from gamelog.study.asking import StudyAnswer
from gamelog.version import __version__
from gamelog_reports import bundle
from gamelog_reports.study_page.words import StudyWords
from gamelog_reports.templates import page_template


def study_page(answer: StudyAnswer, language: str = "en") -> str:
    """Return the page about the answer of a study, as HTML.

    Raises:
        ValueError: Pages do not have the language.
    """
    words = StudyWords(answer, language)
    style = bundle.style("base", "report", "study")
    topics = words.topics()
    return page_template("study").render(
        policy=f"default-src 'none'; style-src '{bundle.csp_digest(style)}'; img-src data:; base-uri 'none'; "
        "form-action 'none'",
        language=language,
        t=words.texts,
        style=style,
        heading=words.heading,
        games=words.games_sentences(),
        gain=words.gain_sentence(),
        luck=words.luck_sentence(),
        correction=words.correction_sentence(),
        variants=answer.variants,
        topics=topics,
        unseen=words.unseen_sentences(),
        version=__version__,
    )
