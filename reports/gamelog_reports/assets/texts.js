// Texts of the page in its language, and the game's words in this language.

let texts = {}, words = {}, known = null;

export function setTexts(all) {
  texts = all;
}

// Sets the translations of the game's words: colours, kinds, reasons, captions.
export function setWords(all) {
  const longest = Object.keys(all).sort((a, b) => b.length - a.length).map((word) => word.replace(/[^\w ]/g, "\\$&"));
  words = all;
  known = longest.length ? new RegExp(`\\b(?:${longest.join("|")})\\b`, "g") : null;
}

// Returns a text of the game in the page's language.
export const translated = (text) => (known ? text.replace(known, (word) => words[word]) : text);

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

// Isolates a value with letters from right to left, so that its direction does not affect the text around it.
export const isolate = (value) => (RIGHT_TO_LEFT.test(value) ? `\u2068${value}\u2069` : value);

// Returns a text as searches compare it: without accents, in small letters.
export const foldAccents = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

// Returns the text `name`. {0}, {1}, … are replaced by the further arguments.
export function t(name, ...given) {
  return texts[name].replace(/\{(\d)\}/g, (_, index) => isolate(given[index]));
}

// Returns a number with this many decimals, in the format of the page's language.
export function decimal(value, digits) {
  return value.toLocaleString(document.documentElement.lang, { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
