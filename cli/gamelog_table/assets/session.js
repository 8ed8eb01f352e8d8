// The session of a link: its token, and the records that it opens.

import { Connection } from "./connection.js";
import { $ } from "./dom.js";
import { forgetLinks, offerKnownLinks, rememberLink } from "./known_links.js";
import { isToken, keepToken, linkToken, recordsAnswer } from "./link_token.js";
import { t } from "./texts.js";

export const tableAddress = (name) => "/table/" + encodeURIComponent(name);

// Returns the number of the event that the address names (/table/NAME#n=57), or null.
export const addressedEvent = () => Number(/^#n=(\d+)$/.exec(location.hash)?.[1]) || null;

// Returns the connection of the link, its role and its records, and the one record of a link for one record. Returns null without a valid link.
export async function openSession() {
  addEventListener("hashchange", () => isToken(location.hash.slice(1)) && location.reload()); // another link in this tab
  const known = linkToken();
  if (!known) {
    $("hello").textContent = t("need_link");
    offerKnownLinks();
    return null;
  }
  const connection = new Connection(known), answer = await recordsAnswer().catch(() => null);
  if (!answer) {
    $("hello").textContent = t("start_lost");
    return null;
  }
  const { status } = answer, body = await answer.json();
  if (status !== 200) {
    $("hello").textContent = status === 401 ? t("no_link") : body.error.message;
    if (status !== 401) return null;
    forgetLinks(known);
    keepToken(null);
    offerKnownLinks(t("no_link"));
    return null;
  }
  const [first] = body.records, only = !body.folder && body.records.length === 1 ? first.name : null;
  rememberLink({ token: known, role: body.role, label: body.role === "seat" ? first.seats.find(({ seat }) => seat === body.seat)?.name ?? "" : only ?? "" });
  return { connection, body, only };
}
