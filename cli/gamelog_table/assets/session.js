// The session of a link: its token, and the records that it opens.

import { Connection } from "./connection.js";
import { $ } from "./dom.js";
import { forgetLinks, offerKnownLinks, rememberLink } from "./known_links.js";
import { t } from "./texts.js";

export const tableAddress = (name) => "/table/" + encodeURIComponent(name);

// Returns whether the part of the address after # is a token. A permalink (#n=57) is not.
const isToken = (given) => Boolean(given) && !given.includes("=");

// Returns the link's token. It is removed from the address and the history, and this tab keeps it.
function token() {
  const given = location.hash.slice(1);
  if (isToken(given)) {
    sessionStorage.setItem("gamelog.token", given);
    history.replaceState(null, "", location.pathname);
  }
  return sessionStorage.getItem("gamelog.token");
}

// Returns the connection of the link, its role and its records, and the one record of a link for one record. Returns null without a valid link.
export async function openSession() {
  addEventListener("hashchange", () => isToken(location.hash.slice(1)) && location.reload()); // another link in this tab
  const known = token();
  if (!known) {
    offerKnownLinks();
    return null;
  }
  const connection = new Connection(known), { status, body } = await connection.ask("/api/records");
  if (status !== 200) {
    $("hello").textContent = status === 401 ? t("no_link") : body.error.message;
    if (status !== 401) return null;
    forgetLinks(known);
    sessionStorage.removeItem("gamelog.token");
    offerKnownLinks(t("no_link"));
    return null;
  }
  const [first] = body.records, only = !body.folder && body.records.length === 1 ? first.name : null;
  rememberLink({ token: known, role: body.role, label: body.role === "seat" ? first.seats.find(({ seat }) => seat === body.seat)?.name ?? "" : only ?? "" });
  return { connection, body, only };
}
