"""Tests of the bundled script of many modules, and of the texts of pages in each language."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

import pytest
from gamelog_reports import bundle, palette
from gamelog_reports.templates import texts

from gamelog.play.contract.locales import LANGUAGES

ASSETS = Path(str(files("gamelog_reports") / "assets"))
HOMES = (ASSETS.parent, Path(str(files("gamelog_table"))))
SCRIPTS = ("replay", "analysed", "loader", "index", "page_frame")


@pytest.fixture
def assets(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Return the modules of a test by file name."""
    given: dict[str, str] = {}
    monkeypatch.setattr(bundle, "asset", lambda name, *_home: given[name])
    return given


def test_each_module_is_included_once_before_modules_that_need_it(assets: dict[str, str]) -> None:
    assets["a.js"] = 'import { b } from "./b.js";\nimport { c } from "./c.js";\nb(c);\n'
    assets["b.js"] = 'import { c } from "./c.js";\nexport function b() {\n  return c;\n}\n'
    assets["c.js"] = '// a word\nimport data from "./d.json";\nexport const c = data;\n'
    assets["d.json"] = '{"x": [1, 2]}'
    made = bundle.script.__wrapped__("a")
    assert made == 'const data={"x":[1,2]};const c=data;\nfunction b(){return c}\nb(c);\n'
    assert bundle.modules("a") == ["c", "b", "a"]
    assert "a word" not in made
    assert "import " not in made
    assert "export " not in made


def test_text_in_quotes_is_not_changed(assets: dict[str, str]) -> None:
    assets["a.js"] = (
        'const a = { b: ", c = d", e: (f) => f ? "\\" : " : 1, 2 };\nconst g = `h = ${a}, i` - -2 + 3;\n'
    )
    made = bundle.script.__wrapped__("a")
    assert 'const a={b:", c = d",e:(f)=>f?"\\" : ":1,2};const g=`h = ${a}, i`- -2+3;' in made


def test_modules_that_import_one_another_are_refused(assets: dict[str, str]) -> None:
    assets["a.js"] = 'import { b } from "./b.js";\n'
    assets["b.js"] = 'import { a } from "./a.js";\n'
    with pytest.raises(ValueError, match="a -> b -> a import one another"):
        bundle.script.__wrapped__("a")


def test_an_import_of_a_name_that_is_not_exported_is_refused(assets: dict[str, str]) -> None:
    assets["a.js"] = 'import { b, d } from "./b.js";\n'
    assets["b.js"] = "export const b = 1;\nconst d = 2;\n"
    with pytest.raises(ValueError, match=r"a\.js imports d, which b\.js does not export"):
        bundle.script.__wrapped__("a")


@pytest.mark.parametrize(
    "own", ["const x = 1;", "const y = 2, x = 1;", "let { y, x } = z;", "function x() {}", "class x {}"]
)
def test_modules_that_define_the_same_name_are_refused(assets: dict[str, str], own: str) -> None:
    assets["a.js"] = f'import {{ b }} from "./b.js";\n{own}\nb();\n'
    assets["b.js"] = "async function x() {}\nexport const b = 1;\n"
    with pytest.raises(ValueError, match=r"b\.js and a\.js both define x"):
        bundle.script.__wrapped__("a")


@pytest.mark.parametrize(
    "line",
    [
        'import * as b from "./b.js";',
        "export default 1;",
        'export { x } from "./y.js";',
        "const a = `b ${c ? ` d` : e}`;",
    ],
)
def test_other_forms_are_refused(assets: dict[str, str], line: str) -> None:
    assets["a.js"] = line + "\n"
    with pytest.raises(ValueError, match=r"a\.js: the bundler does not know the form"):
        bundle.script.__wrapped__("a")


def test_every_module_is_used() -> None:
    used = {name for script in SCRIPTS for name in bundle.modules(script)}
    assert {path.stem for path in ASSETS.glob("*.js")} == used


def test_no_script_ends_its_element_or_creates_markup() -> None:
    for name in SCRIPTS:
        assert not re.search(
            r"</script|<!--|innerHTML|outerHTML|insertAdjacent|document\.write|\beval\(|new Function",
            bundle.script(name),
        )


def test_every_language_has_all_texts_with_the_same_placeholders() -> None:
    known = {language: texts(language) for language in LANGUAGES}
    for language, words in known.items():
        assert list(words) == list(known["en"]), language
        for name, text in words.items():
            assert sorted(re.findall(r"\{\d\}", text)) == sorted(re.findall(r"\{\d\}", known["en"][name])), (
                name
            )


def test_every_used_text_exists_and_every_text_is_used() -> None:
    code = "".join(path.read_text(encoding="utf-8") for home in HOMES for path in home.glob("assets/*.js"))
    pages = "".join(
        path.read_text(encoding="utf-8") for home in HOMES for path in home.glob("templates/*.j2")
    )
    words = "".join(
        path.read_text(encoding="utf-8")
        for path in (ASSETS.parent / "study_page" / "words.py", ASSETS.parent / "study_page" / "page.py")
    )
    asked = set(re.findall(r'\bt\("(\w+)"', code)) | set(re.findall(r"\bt\.(\w+)", pages))
    named = set(re.findall(r'"(\w+)"', code)) | {
        "seen_by",
        "seen_by_all",
        "unseen_events",
        "replays",
        "results",
    }
    named |= set(re.findall(r'"(study_\w+)"', words))
    prefixes = tuple(word for word in named | asked if word.endswith("_"))
    prefixes += tuple(re.findall(r'f"(study_\w*)\{', words))
    known = set(texts("en"))
    assert {name for name in asked - known if not name.endswith("_")} == set()
    assert {name for name in known - asked - named if not name.startswith(prefixes)} == set()


def test_an_unknown_language_is_refused() -> None:
    with pytest.raises(ValueError, match='pages have the languages en, pt, not "tlh"'):
        texts("tlh")


def test_kinds_without_looks_have_one_of_six_tints() -> None:
    assert {palette.tint(kind) for kind in ("territory", "slot", "moor", "x", "bag", "hand", "home")} <= set(
        range(6)
    )
    assert palette.cell_colour("water", "light") != palette.cell_colour("water", "dark")
    assert palette.cell_colour("", "light") == palette.INKS["land"][0]
