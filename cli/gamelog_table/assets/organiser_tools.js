// The organiser's tools: a sheet of codes for all tables, and the files of the evening.

import { $, button, el } from "./dom.js";
import { copyText, saveFile } from "./output.js";
import { isolate, t } from "./texts.js";

const FILES = ["site", "report", "pack", "records"];

// Returns a link with its code and buttons. The `note` is below its label.
export function linkFigure(link, label, note = "") {
  const copy = button(t("copy_link"), async () => {
    const isCopied = await copyText(link.url);
    if (!isCopied) getSelection().selectAllChildren(address);
    copy.textContent = t(isCopied ? "copied" : "copy_selected");
  }), address = el("code", {}, link.url);
  const share = navigator.share ? button(t("share_link"), () => navigator.share({ title: label, url: link.url }).catch(() => null)) : null;
  return el("figure", { class: "code" }, link.qr ? el("img", { src: link.qr, alt: "", width: 180, height: 180 }) : null, el("figcaption", {}, el("b", {}, el("bdi", {}, label)), note && el("span", { class: "soft" }, el("bdi", {}, note)), address), el("div", { class: "row" }, copy, share));
}

// Returns the text about a link: its role, and for a seat the player and the seat.
export function linkLabel({ role, name, seat, place }) {
  return t("role_" + role, name || seat || "") + (place && place !== name ? ` (${place})` : "");
}

const isForPlayers = ({ role }) => ["seat", "spectator"].includes(role);

// Returns a part of the sheet: a title, and links with their labels. On paper, lines to cut are between the parts.
const codes = (title, figures, kind = "") => el("section", { class: `codes ${kind}` }, el("h2", {}, el("bdi", {}, title)), el("div", { class: "row" }, figures));

async function printCodes(connection) {
  const { records = [] } = (await connection.ask("/api/records")).body; // as they are now
  const isOver = ({ summary }) => summary?.status === "over", playing = records.filter((one) => !isOver(one)).map(({ name }) => name), over = records.filter(isOver).map(({ name }) => name);
  const { status, body } = await connection.ask("/api/codes?" + new URLSearchParams(playing.map((name) => ["record", name])));
  if (status !== 200) {
    $("line").textContent = body.error.message;
    return;
  }
  const images = () => [...$("paper").querySelectorAll("img")], close = () => document.body.classList.remove("sheet");
  const tools = el("div", { class: "row" }, button(t("print"), () => print(), { class: "main" }), button(t("close"), close)), isReachable = body.records.every(({ reachable }) => reachable);
  const notes = [isReachable ? "" : t("only_here"), over.length ? t("codes_without", over.map(isolate).join(", ")) : ""].filter(Boolean).map((text) => el("p", { class: "row" }, text));
  const own = body.records.flatMap(({ name, links }) => links.filter((link) => !isForPlayers(link)).map((link) => linkFigure(link, linkLabel(link), name)));
  $("paper").replaceChildren(tools, ...notes, ...body.records.map(({ name, title, links }) => codes(`${name}: ${title}`, links.filter(isForPlayers).map((link) => linkFigure(link, linkLabel(link))))), own.length ? codes(t("codes_of_staff"), own, "staff") : "");
  document.body.classList.add("sheet"); // the sheet stays on the screen, because some devices cannot print
  scrollTo(0, 0);
  await Promise.all(images().map((one) => one.decode().catch(() => null)));
  print();
}

// The key under which this tab keeps the file that was being made when the page was left, and that was not saved.
const UNSAVED = "gamelog.unsaved";

// Returns the name of a file from the header of its answer. A name with spaces or accents is encoded.
function fileName(header) {
  const [, encoded, plain] = /filename\*=utf-8''([^;]+)|filename="([^"]+)"/i.exec(header);
  return encoded ? decodeURIComponent(encoded) : plain;
}

// Asks before the page is left, because the file that is being made would be lost.
const askToStay = (event) => event.preventDefault();

// Saves a file of the evening. The server makes one at a time, so all buttons wait.
async function saveEvening(connection, file, all) {
  for (const one of all) one.disabled = true;
  $("evening-state").textContent = t("being_made");
  const keepName = () => sessionStorage.setItem(UNSAVED, file);
  addEventListener("beforeunload", askToStay);
  addEventListener("pagehide", keepName);
  try {
    const answer = await connection.open(`/api/evening/${file}`);
    if (answer.ok) {
      const name = fileName(answer.headers.get("content-disposition"));
      saveFile(await answer.blob(), name);
      $("evening-state").textContent = t("file_saved", name);
    } else $("evening-state").textContent = (await answer.json()).error.message;
  } catch {
    $("evening-state").textContent = t("line_lost");
  } finally {
    removeEventListener("beforeunload", askToStay);
    removeEventListener("pagehide", keepName);
    for (const one of all) one.disabled = false;
  }
}

export function offerFolderTools(connection, session) {
  const files = (session.role === "scorer" ? FILES : []).map((file) => button(t("save_" + file), () => saveEvening(connection, file, files)));
  const unsaved = sessionStorage.getItem(UNSAVED);
  $("evening").hidden = false;
  $("evening").replaceChildren(el("h2", {}, t("evening")), el("div", { class: "row" }, button(t("print_codes"), () => printCodes(connection)), files), files.length ? el("ul", { class: "soft" }, FILES.map((file) => el("li", {}, t("means_" + file)))) : "", el("p", { id: "evening-state", role: "status" }, unsaved && t("file_not_saved", t("save_" + unsaved))));
  sessionStorage.removeItem(UNSAVED);
}
