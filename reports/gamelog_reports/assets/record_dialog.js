// The dialog about the record: facts, a check of the chain in the browser, and the record as a file.

import { $, el } from "./dom.js";
import { saveFile } from "./output.js";
import { t } from "./texts.js";

const DOMAIN = "gamelog/1\n", GENESIS = "A".repeat(43);

const encoder = new TextEncoder();

function lineBytes(text, raw) {
  return raw ? Uint8Array.from(text, (letter) => letter.charCodeAt(0)) : encoder.encode(text);
}

async function nextDigest(previous, body) {
  const before = encoder.encode(DOMAIN + previous), all = new Uint8Array(before.length + body.length);
  all.set(before);
  all.set(body, before.length);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", all));
  return btoa(String.fromCharCode(...digest)).replaceAll("+", "-").replaceAll("/", "_").slice(0, 43);
}

// Returns the lines with their digests, and the digests. Each digest covers all lines before it.
export async function chain({ first, lines, raw }) {
  const parts = [], heads = [];
  let head = GENESIS;
  for (const [at, line] of [first, ...lines].entries()) {
    const body = lineBytes(line + "\n", raw && at > 0);
    head = await nextDigest(head, body);
    heads.push(head);
    parts.push(encoder.encode(`{"h":"${head}",`), body);
  }
  return { heads, parts };
}

function showResult(good, ...words) {
  $("checked").replaceChildren(el("strong", { class: good ? "good" : "bad" }, good ? "✓ " : "✖ ", words[0]), ...words.slice(1));
}

async function check(record) {
  $("checked").textContent = t("checking");
  const head = (await chain(record)).heads.pop(), good = head === record.head;
  showResult(good, t(good ? "chain_good" : "chain_bad", record.lines.length), " ", t("head_is"), " ", el("code", {}, head), good ? " " + t("compare_head") : "");
}

// Compares a head with the record's heads, and shows after which event they are equal.
async function compare(record, held) {
  const at = (await chain(record)).heads.indexOf(held);
  showResult(at >= 0, at < 0 ? t("head_strange") : t("head_held", at, record.lines.length - at));
}

async function download(record, name) {
  saveFile(new Blob((await chain(record)).parts, { type: "application/x-ndjson" }), name);
}

function facts({ header, status, last, game, remark }) {
  const { id, rules, started, tags = {}, options = {}, board, dice, parents = [] } = header;
  const plain = (value) => (typeof value === "object" ? JSON.stringify(value) : String(value));
  return [
    [t("game"), [game || header.game, rules].filter(Boolean).join(" · ")],
    [t("started"), started],
    ...Object.entries(tags),
    [t("events"), last],
    [t("status"), t("status_" + status)],
    [t("dice"), dice && t("dice_" + dice.source.replace("-", "_"))],
    [t("the_board"), typeof board === "string" ? board.split("@")[0] : board && (board.name || t("own_board"))],
    ...Object.entries(options).map(([name, value]) => [name.replaceAll("_", " "), plain(value)]),
    ...parents.map(({ id: parent, n }) => [t("continues"), t("from_event", parent, n)]),
    [t("id"), id],
    [t("the_board"), remark],
  ].filter(([, value]) => value !== undefined && value !== "");
}

export function recordDialog(data) {
  const { record } = data, open = Boolean(record.first);
  $("facts").append(...facts(data).map(([name, value]) => el("div", {}, el("dt", {}, el("bdi", {}, name)), el("dd", {}, el("bdi", {}, String(value))))));
  $("no-record").hidden = open;
  for (const part of document.querySelectorAll("#about .whole")) part.hidden = !open;
  $("held").addEventListener("input", () => $("held").value.trim() && compare(record, $("held").value.trim()));
  return {
    about: () => $("about").showModal(),
    check: () => check(record),
    download: () => download(record, `${String(data.header.id || "record").replace(/[^\w.-]+/g, "_").slice(0, 80)}.jsonl`),
  };
}
