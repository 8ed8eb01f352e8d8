// Sentences from templates: the counterpart of gamelog.play.telling.messages.
// A sentence is a list of pieces: strings that are the template's own, and values that were filled in.

import { t, w } from "./texts.js";

const STEERING = /[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]/gu;

// What people wrote, with what would turn the direction of a line written out: the counterpart of gamelog.record.visible.
export function visible(value) {
  if (typeof value === "string") {
    return value.replace(STEERING, (letter) => {
      const code = letter.charCodeAt(0).toString(16);
      return code.length > 2 ? "\\u" + code.padStart(4, "0") : "\\x" + code.padStart(2, "0");
    });
  }
  if (Array.isArray(value)) return value.map(visible);
  return value && typeof value === "object" ? Object.fromEntries(Object.entries(value).map((pair) => pair.map(visible))) : value;
}

const PLACE = /\{(@?)([a-z_]+)(?::([^|}]*)\|([^}]*))?\}/g;

function list(names) {
  return names.length < 2 ? names.join("") : names.slice(0, -1).join(", ") + " " + t("and") + " " + names[names.length - 1];
}

export function winners(seats, name) {
  return seats.length ? list(seats.map(name)) : t("nobody");
}

export function plain(value, word) {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.map((item) => plain(item, word)).join(" ");
  if (typeof value !== "object") return word(String(value));
  return Object.entries(value).map(([key, item]) => `${word(key)} ${plain(item, word)}`).join(", ");
}

function people(value, name) {
  if (value === null || value === undefined) return t("nobody");
  if (Array.isArray(value)) return winners(value, name);
  if (typeof value !== "object") return name(String(value));
  if ("winners" in value) return `${winners(value.winners, name)} (${w(value.reason || "")})`;
  return Object.entries(value).map(([seat, item]) => `${name(seat)} ${plain(item, w)}`).join(", ");
}

// The members of an event or effect, and what templates ask for besides.
function members(thing) {
  const tag = thing.do || thing.effect;
  if (tag === "contest") return { ...thing, result: t(thing.won ? "won" : "lost") };
  if (tag === "@clock") return { ...thing, state: t(thing.running ? "runs" : "stops") };
  return thing;
}

export function fill(template, thing, name) {
  const given = members(thing), pieces = [], said = thing.do?.startsWith("@"); // what people said is theirs
  let at = 0;
  for (const match of template.matchAll(PLACE)) {
    const [whole, seats, member, one, other] = match, value = given[member];
    pieces.push(template.slice(at, match.index));
    pieces.push(one !== undefined ? (value === 1 ? one : other) : { text: seats ? people(value, name) : plain(value, said && member !== "kind" ? String : w) });
    at = match.index + whole.length;
  }
  pieces.push(template.slice(at));
  return pieces;
}

export function text(pieces) {
  return pieces.map((piece) => (typeof piece === "string" ? piece : piece.text)).join("");
}

// The same as nodes; every value stands in an element of its own, so that its direction cannot run over.
export function nodes(pieces) {
  return pieces.filter((piece) => piece !== "").map((piece) => {
    if (typeof piece === "string") return piece;
    const value = document.createElement("bdi");
    value.textContent = piece.text;
    return value;
  });
}
