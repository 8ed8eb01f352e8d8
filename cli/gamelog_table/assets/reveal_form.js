// Forms for reveals and signatures. Neither key nor secret leaves the device.

import { button, el } from "./dom.js";
import { labelledField } from "./event_form.js";
import { saveFile } from "./output.js";
import { openPreview } from "./preview.js";
import { t } from "./texts.js";

export const SEALED = "@sign";

const NOTE = /^gamelog\/1 [^\n]+\n(\d+)\n[\w-]{43}\nseat ([^\n]+)\ntime ([^\n]+)\nkey ([^\n]+)\n\n— [^ \n]+ ([^ \n]+)\n$/;

// Opens the form for a seal made by `gamelog sign`. A page from a server never asks for a key.
export function openSealForm(table, form) {
  const file = el("input", { type: "file", required: true });
  let read = null;
  const made = openPreview(table, t("do_sign"), [el("p", {}, t("seal_how")), button(t("save_record"), () => save(table, "/record", ".jsonl")), labelledField(t("seal"), file)], () => read, { do: form.do });
  file.addEventListener("change", async () => {
    const [all, n, seat, time, key, sig] = NOTE.exec(await file.files[0].text()) || [];
    file.setCustomValidity(all ? "" : t("not_seal"));
    file.reportValidity();
    read = all ? [{ do: form.do, by: seat, seat, key, sig, t: Date.parse(time) - Date.parse(table.setup.started) }] : null;
    made.dispatchEvent(new Event("input"));
  });
}

// Saves the server's answer at `path` as a file.
export async function save(table, path, ending) {
  const answer = await table.connection.open(table.apiPath + path);
  if (!answer.ok) return table.alert((await answer.json()).error.message);
  saveFile(await answer.blob(), table.setup.name.split("/").pop() + ending);
}

export const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

export async function sha256(text) {
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return hex(bytes);
}

// Returns a field for the secret's file, which fills in the link that is due. The secret is hashed here and not sent.
export function secretField(table, form) {
  if (!crypto.subtle) return [el("p", { class: "soft" }, t("secret_unsafe"))];
  const file = el("input", { type: "file" }), label = labelledField(t("secret"), file);
  file.addEventListener("change", async () => {
    const made = file.form, link = [...made.querySelectorAll("input")].find((input) => input.autocomplete === "off"), seat = made.querySelector("select");
    try {
      const chain = JSON.parse(await file.files[0].text()), { reveals } = table.selection.decisions, shown = reveals.shown[chain.seat];
      if (chain.id !== reveals.id || !shown || !form.members.length) throw new Error(t("not_secret"));
      let before = null, now = chain.secret;
      for (let left = chain.links; now !== shown && left > 0; left--) [before, now] = [now, await sha256(`gamelog/1 link\n${chain.id}\n${chain.seat}\n${now}\n`)];
      if (now !== shown || !before) throw new Error(t("not_secret"));
      seat.value = chain.seat;
      link.value = before;
      file.setCustomValidity("");
    } catch {
      file.setCustomValidity(t("not_secret"));
    }
    file.reportValidity();
    made.dispatchEvent(new Event("input"));
  });
  return [label];
}
