"""Names from right to left in the texts of a page: each must be isolated, so that it does not turn the text around it."""

from __future__ import annotations

from playwright.sync_api import Page

_NOT_ISOLATED = """(names) => {
  const foreign = /[\\u0590-\\u08ff]/, known = new Set(names);
  const mixed = (text) => foreign.test(text.replace(/\\u2068[^\\u2069]*\\u2069/g, "")) && !known.has(text.trim());
  const found = [document.title];
  for (const node of document.body.querySelectorAll(":not(script, style, noscript, .finding bdi)")) {
    for (const name of ["title", "aria-label", "alt"]) if (node.hasAttribute(name)) found.push(node.getAttribute(name));
    for (const child of node.childNodes) if (child.nodeType === 3) found.push(child.data);
  }
  return found.filter(mixed);
}"""


def not_isolated(page: Page, *names: str) -> list[str]:
    """Return the texts of `page` in which right-to-left letters stand beside other text, without direction marks.

    A text that is one of `names` stands alone in its element. Labels on the board are left out, because a
    name is at their end. Findings are left out: each is isolated as a whole.
    """
    labels = set(page.locator("#board .tray").all_text_contents())
    found: list[str] = page.evaluate(_NOT_ISOLATED, names)
    return [text for text in found if text not in labels]
