// Sentences from templates and arguments. Counterpart of gamelog.message.
// A sentence is a list of pieces: strings from the template, and values.

import { t, translated } from "./texts.js";

const STEERING = /[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]/gu;

// Returns people's own words with control and direction characters escaped. Counterpart of gamelog.record.escaping.
export function escapeControls(value) {
  if (typeof value === "string") {
    return value.replace(STEERING, (letter) => {
      const code = letter.charCodeAt(0).toString(16);
      return code.length > 2 ? "\\u" + code.padStart(4, "0") : "\\x" + code.padStart(2, "0");
    });
  }
  if (Array.isArray(value)) return value.map(escapeControls);
  return value && typeof value === "object" ? Object.fromEntries(Object.entries(value).map((pair) => pair.map(escapeControls))) : value;
}

const PLACE = /\{([@=]?)([a-z_]+)(?::([^{}|]*(?:\|[^{}|]*)+))?\}/g;
const USUAL_FORMS = { one: 0, other: 1 };

// The locale for plurals and lists: British English and European Portuguese, in which 0 is plural.
const pageLocale = () => ({ en: "en-GB", pt: "pt-PT" })[document.documentElement.lang] ?? document.documentElement.lang;
const pluralRules = new Map(), listFormats = new Map();
const formatter = (known, Format) => known.get(pageLocale()) ?? known.set(pageLocale(), new Format(pageLocale())).get(pageLocale());

// Returns the form for a number. A template names the categories of its forms, or gives the forms for one and for other.
function pluralForm(forms, number) {
  const named = Object.fromEntries(forms.filter((one) => /^(zero|one|two|few|many|other)=/.test(one)).map((one) => one.split(/=(.*)/s)));
  const category = number === 0 && named.zero ? "zero" : typeof number === "number" ? formatter(pluralRules, Intl.PluralRules).select(Math.abs(number)) : "other";
  return "other" in named ? named[category] ?? named.other : forms[USUAL_FORMS[category] ?? 1] ?? forms.at(-1);
}

// Returns the pieces of a list: the items, and the words between them.
function list(items) {
  return formatter(listFormats, Intl.ListFormat).formatToParts(items).map(({ type, value }) => (type === "element" ? { text: value } : value));
}

export function plain(value, word) {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.map((item) => plain(item, word)).join(" ");
  if (typeof value !== "object") return word(String(value));
  return Object.entries(value).map(([key, item]) => `${word(key)} ${plain(item, word)}`).join(", ");
}

// Returns the people in a value. Winners come with the reason in parentheses, and no winners are "draw".
export function people(value, name) {
  if (value === null || value === undefined) return [t("nobody")];
  if (Array.isArray(value)) return value.length ? list(value.map(name)) : [t("nobody")];
  if (typeof value !== "object") return [{ text: name(String(value)) }];
  if ("winners" in value) return [...(value.winners.length ? people(value.winners, name) : [t("draw")]), " (", { text: translated(value.reason || "") }, ")"];
  return Object.entries(value).flatMap(([seat, item], at) => [at ? ", " : "", { text: name(seat) }, ` ${plain(item, translated)}`]);
}

// Returns the members of an event or effect, and the computed ones that templates use.
function members(thing) {
  const tag = thing.do || thing.effect;
  if (tag === "contest") return { ...thing, result: t(thing.won ? "won" : "lost") };
  if (tag === "@clock") return { ...thing, state: t(thing.running ? "runs" : "stops") };
  return thing;
}

export function fill(template, thing, name) {
  const given = members(thing), pieces = [];
  let at = 0;
  for (const match of template.matchAll(PLACE)) {
    const [whole, kind, member, forms] = match, value = given[member];
    pieces.push(template.slice(at, match.index));
    if (forms !== undefined) pieces.push(pluralForm(forms.split("|"), value).replace("#", value));
    else if (kind === "@") pieces.push(...people(value, name));
    else pieces.push({ text: plain(value, kind === "=" ? String : translated) });
    at = match.index + whole.length;
  }
  pieces.push(template.slice(at));
  return pieces;
}

export function text(pieces) {
  return pieces.map((piece) => (typeof piece === "string" ? piece : piece.text)).join("");
}

// Returns a sentence with a capital letter if the table or the arbiter begins it. Names of people stay as they are.
export function capital(pieces) {
  const first = pieces.find((piece) => piece !== ""), at = pieces.indexOf(first);
  return [t("table"), t("arbiter")].includes(first?.text) ? pieces.with(at, { text: first.text[0].toUpperCase() + first.text.slice(1) }) : pieces;
}

// Returns the pieces as nodes. Each value has its own element, so its direction does not affect the text around it.
export function nodes(pieces) {
  return pieces.filter((piece) => piece !== "").map((piece) => {
    if (typeof piece === "string") return piece;
    const value = document.createElement("bdi");
    value.textContent = piece.text;
    return value;
  });
}
