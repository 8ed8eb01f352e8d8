// Starts a page of the server: asks for the link's records, and meanwhile inflates and runs the script of the page, with the style
// sheet and this script as the dictionary.

import { $, el } from "./dom.js";
import { unpack } from "./embedded_text.js";
import { fail } from "./failure.js";
import { askForRecords } from "./link_token.js";

async function run() {
  document.body.append(el("script", { type: "module" }, await unpack($("script").textContent, $("style").textContent + $("loader").textContent)));
}

askForRecords();
run().catch(fail);
