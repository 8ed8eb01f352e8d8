// Starts a page: inflates its script, with this one as the dictionary, and runs it. The security policy names the digest of the script.

import { $, el } from "./dom.js";
import { unpack } from "./embedded_text.js";
import { fail, hold } from "./opening.js";

async function run() {
  document.body.append(el("script", { type: "module" }, await unpack($("script").textContent, $("loader").textContent)));
}

hold();
run().catch(fail);
