// Starts a page: inflates the script of the page, with the style sheet and this script as the dictionary, and runs it. The security policy has its digest.

import { unpack } from "./embedded_text.js";
import { allowLoad, delayLoad } from "./load_delay.js";

const element = (id) => document.getElementById(id);

async function run() {
  const script = document.createElement("script");
  script.type = "module";
  script.textContent = await unpack(element("script").textContent, element("style").textContent + element("loader").textContent);
  document.body.append(script);
}

function fail(error) {
  const missing = element("missing");
  missing.textContent = missing.textContent.replace("{0}", String(error));
  missing.hidden = false;
  document.documentElement.classList.add("ready");
  allowLoad();
}

delayLoad();
run().catch(fail);
