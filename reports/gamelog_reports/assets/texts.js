// The page's own words, in its language.

let texts = {}, words = {}, known = null;

export function speak(all) {
  texts = all;
}

// What the game's own words (colours, kinds, reasons, captions) are in the page's language, where that is not English.
export function learn(all) {
  const longest = Object.keys(all).sort((a, b) => b.length - a.length).map((word) => word.replace(/[^\w ]/g, "\\$&"));
  words = all;
  known = longest.length ? new RegExp(`\\b(?:${longest.join("|")})\\b`, "g") : null;
}

// `text`, which is the game's own, in the page's language.
export const w = (text) => (known ? text.replace(known, (word) => words[word]) : text);

// The text `name`; {0}, {1}, … stand for the further arguments.
export function t(name, ...given) {
  return texts[name].replace(/\{(\d)\}/g, (_, index) => given[index]);
}

// A number with so many decimals, as the page's language writes it.
export function decimal(value, digits) {
  return value.toLocaleString(document.documentElement.lang, { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
