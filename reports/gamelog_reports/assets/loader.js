// Starts a page: inflates the script of the page, with the style sheet and this script as the dictionary, and runs it. The security
// policy has its digest.

import { $, el } from "./dom.js";
import { unpack } from "./embedded_text.js";
import { fail, hold } from "./opening.js";

async function run() {
  document.body.append(el("script", { type: "module" }, await unpack($("script").textContent, document.querySelector("style").textContent + $("loader").textContent)));
}

hold();
run().catch(fail);
