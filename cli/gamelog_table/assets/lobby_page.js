// The page of a folder: the lobby, a form for new games, and the organiser's tools. A link for one record leads to its table.

import { $ } from "./dom.js";
import { offerFolderTools } from "./organiser_tools.js";
import { Lobby } from "./lobby.js";
import { offerNewGame } from "./new_game.js";
import { openSession, tableAddress } from "./session.js";
import { setTexts } from "./texts.js";

async function start() {
  setTexts(JSON.parse($("texts").textContent));
  const session = await openSession();
  if (session?.only) return location.replace(tableAddress(session.only));
  if (session) {
    const { connection, body } = session;
    const lobby = new Lobby(connection, body);
    if (["scorer", "arbiter"].includes(body.role)) offerFolderTools(connection, body);
    if (body.role === "scorer") await offerNewGame(lobby, !body.records.length);
  }
  return document.documentElement.classList.add("ready");
}

start();
