// Starts a page: inflates the script of the page, with this script as the dictionary, and runs it. The security policy has its digest.

import { $, el } from "./dom.js";
import { unpack } from "./embedded_text.js";
import { allowLoad, delayLoad } from "./opening.js";

async function run() {
  document.body.append(el("script", { type: "module" }, await unpack($("script").textContent, $("loader").textContent)));
}

function fail(error) {
  const missing = $("missing");
  missing.textContent = missing.textContent.replace("{0}", String(error));
  missing.hidden = false;
  document.documentElement.classList.add("ready");
  allowLoad();
}

delayLoad();
run().catch(fail);
