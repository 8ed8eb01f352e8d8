"""The visible contrast of text, measured from screenshots.

Checkers that read style sheets cannot measure text over patterns, charts and pieces. Here each text is drawn
twice: once invisible (with its halo) and once in a special colour. The pixels with this colour belong to the
text, and the first picture has their background. The arrow of a step is left out, because it crosses other
elements.
"""

from __future__ import annotations

from base64 import b64encode
from typing import Any

from playwright.sync_api import Page

from tests.browser.conftest import settle

SIZE = 2
"""The ``device_scale_factor`` of the screenshots."""

STRAY = 0.04
"""The part of a text's pixels that can have less contrast, because an arrow or edge crosses them."""

NONE = """* { -webkit-text-fill-color: transparent !important; caret-color: transparent !important; transition: none !important }
text { fill: transparent !important } .way { display: none }"""
MARK = """(show) => {
  for (const [at, e] of (window.marked = window.marked || [...new Set(window.texts)]).entries()) {
    const hue = `hsl(${(at * 137.5) % 360} 100% ${[50, 30, 70][at % 3]}%)`;
    const name = e instanceof SVGElement ? "fill" : "-webkit-text-fill-color";
    if (show) e.style.setProperty(name, hue, "important");
    else e.style.removeProperty(name);
  }
  if (!show) window.marked = null;
}"""

TEXTS = """() => {
  const out = [], inks = new Map();
  const hsl = (at) => `hsl(${(at * 137.5) % 360} 100% ${[50, 30, 70][at % 3]}%)`;
  window.texts = [];
  const order = new Map();
  const number = (colour) => { // any CSS colour as red, green, blue and alpha
    if (!inks.has(colour)) {
      const pen = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
      pen.fillStyle = colour; pen.fillRect(0, 0, 1, 1);
      inks.set(colour, [...pen.getImageData(0, 0, 1, 1).data]);
    }
    return inks.get(colour);
  };
  // What lies in another box than what is on top there (a dialog, an open menu, a heading) is covered by it.
  const layer = (e) => e?.closest("dialog, [popover], details .panel, .turn h3, .desk, #said, .stage, aside, header, main, body");
  const within = (a, b) => ({
    left: Math.max(a.left, b.left), top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right), bottom: Math.min(a.bottom, b.bottom),
  });
  window.seen = (e, box) => {
    let part = within(box, { left: 0, top: 0, right: innerWidth, bottom: innerHeight });
    for (let up = e.parentElement; up; up = up.parentElement) { // as much of it as what scrolls lets through
      if (!["visible", ""].includes(getComputedStyle(up).overflowY)) part = within(part, up.getBoundingClientRect());
    }
    const { left, top, right, bottom } = part;
    if (right - left < 2 || bottom - top < 2 || e.closest(":disabled")) return false;
    if (!e.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true })) return false;
    const above = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return Boolean(e.closest("#preview")) || layer(above) === layer(e);
  };
  const add = (e, box, colour, size, told, text = e) => {
    if (!window.seen(e, box)) return;
    let alpha = 1;
    for (let up = e; up; up = up.parentElement) alpha *= Number(getComputedStyle(up).opacity);
    const style = getComputedStyle(e), points = size * (Number(style.fontWeight) >= 700 ? 24 / 18.66 : 1);
    const ink = number(colour);
    if (!order.has(text)) order.set(text, order.size);
    window.texts.push(text);
    out.push({
      mark: number(hsl(order.get(text))).slice(0, 3), box: [box.left, box.top, box.right, box.bottom],
      ink: ink.slice(0, 3), alpha: alpha * ink[3] / 255, large: points >= 24, told,
    });
  };
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const e = node.parentElement;
    if (!node.data.trim() || !e || ["SCRIPT", "STYLE", "NOSCRIPT", "OPTION", "TITLE", "title"].includes(e.tagName)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const boxes = [...range.getClientRects()].filter((box) => box.bottom > 0 && box.top < innerHeight); // most of a list is not
    if (!boxes.length) continue;
    const drawn = e instanceof SVGElement, style = getComputedStyle(e), m = drawn && e.getScreenCTM && e.getScreenCTM();
    const size = parseFloat(style.fontSize) * (m ? Math.hypot(m.a, m.b) : 1);
    const told = node.data.trim().slice(0, 40) + " <" + e.tagName + " " + (e.getAttribute("class") || "") + ">";
    for (const box of boxes) add(e, box, drawn ? style.fill : style.color, size, told);
  }
  for (const e of document.querySelectorAll("input, select")) {
    const style = getComputedStyle(e, e.placeholder && !e.value ? "::placeholder" : null);
    add(e, e.getBoundingClientRect(), style.color, parseFloat(style.fontSize), e.id || e.name);
  }
  for (const use of document.querySelectorAll("svg.badge")) { // letters of seats are drawn by reference
    const text = document.querySelector(use.querySelector("use").getAttribute("href") + " text");
    const size = 13 * use.clientWidth / 24;
    add(use, use.getBoundingClientRect(), getComputedStyle(text).fill, size, "badge " + text.textContent, text);
  }
  return out;
}"""

MEASURE = """async ({ bare, marked, texts, size, stray }) => {
  const read = async (png) => {
    const picture = new Image();
    picture.src = "data:image/png;base64," + png;
    await picture.decode();
    const pen = new OffscreenCanvas(picture.width, picture.height).getContext("2d");
    pen.drawImage(picture, 0, 0);
    return pen.getImageData(0, 0, picture.width, picture.height);
  };
  const [under, over] = await Promise.all([read(bare), read(marked)]);
  const light = (rgb) => rgb.map((v) => v / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const out = [], was = under.data, is = over.data;
  const off = (a, b) => Math.hypot(...a.map((v, i) => v - b[i]));
  for (const { mark, box, ink, alpha, large, told } of texts) {
    const like = texts.filter((other) => off(other.mark, mark) > 0 && off(other.mark, mark) < 60)
      .map(({ box: [l, t, r, b] }) => [l * size - 2, t * size - 2, r * size + 2, b * size + 2]);
    const grounds = new Map(), [red, green, blue] = mark;
    let pixels = 0;
    const [left, top, right, bottom] = box.map((v) => Math.round(v * size));
    for (let y = Math.max(top, 0); y < Math.min(bottom, under.height); y++) {
      for (let x = Math.max(left, 0); x < Math.min(right, under.width); x++) { // plain numbers: there are millions
        const at = (y * under.width + x) * 4, r = was[at], g = was[at + 1], b = was[at + 2];
        const dr = is[at] - r, dg = is[at + 1] - g, db = is[at + 2] - b;
        if (!dr && !dg && !db) continue;
        const wr = red - r, wg = green - g, wb = blue - b;
        const part = (wr * dr + wg * dg + wb * db) / (1 + wr * wr + wg * wg + wb * wb);
        if (part < 0.6) continue; // not this text, or its edge
        if ((wr * part - dr) ** 2 + (wg * part - dg) ** 2 + (wb * part - db) ** 2 > 900) continue;
        if (like.some((other) => x > other[0] && x < other[2] && y > other[1] && y < other[3])) continue;
        pixels++;
        const ground = r << 16 | g << 8 | b;
        grounds.set(ground, (grounds.get(ground) || 0) + 1);
      }
    }
    const ratios = [...grounds].map(([key, count]) => {
      const ground = [key >> 16, key >> 8 & 255, key & 255], shown = ink.map((v, i) => v * alpha + ground[i] * (1 - alpha));
      const [a, b] = [light(shown), light(ground)].sort((one, other) => other - one);
      return [(a + 0.05) / (b + 0.05), count, ground.join()];
    }).sort((one, other) => one[0] - other[0]);
    let seen = 0;
    const worst = ratios.find(([, count]) => (seen += count) > pixels * stray);
    if (worst) out.push({ told, ratio: worst[0], needed: large ? 3 : 4.5, ground: worst[2], ink: ink.join() });
  }
  return out;
}"""


def contrasts(page: Page) -> list[dict[str, Any]]:
    """Return each visible text of `page` with its worst contrast. The context needs `SIZE` and ``bypass_csp``."""
    texts = page.evaluate(TEXTS)
    pictures = []
    style = page.add_style_tag(content=NONE)
    for marked in (False, True):
        if marked:
            page.evaluate(MARK, True)
        settle(page)
        pictures.append(b64encode(page.screenshot()).decode())
    page.evaluate(MARK, False)
    style.evaluate("(node) => node.remove()")
    blank = page.context.new_page()
    measured: list[dict[str, Any]] = blank.evaluate(
        MEASURE, {"bare": pictures[0], "marked": pictures[1], "texts": texts, "size": SIZE, "stray": STRAY}
    )
    blank.close()
    return measured


def too_faint(page: Page) -> list[str]:
    """Return the texts of `page` with a contrast below 4.5 to 1, or below 3 to 1 for large text."""
    found = contrasts(page)
    assert len(found) > 10
    faint = [one for one in found if one["ratio"] < one["needed"] - 0.01]
    return [f"{one['told']}: {one['ratio']:.2f}, {one['ink']} on {one['ground']}" for one in faint]
