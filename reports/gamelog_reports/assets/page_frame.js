// Adds what all replay pages in one language share: the menu, everything below the heading, and their styles. A page without scripts
// needs none of these.

import { addStyle } from "./dom.js";
import controlsStyle from "./controls.css";
import frameStyle from "./frame.css";
import modalStyle from "./modal.css";
import pageStyle from "./page.css";
import panelsStyle from "./panels.css";

export function addPageFrame(markup) {
  const { body } = new DOMParser().parseFromString(markup, "text/html");
  addStyle(controlsStyle + pageStyle + panelsStyle + modalStyle + frameStyle);
  document.querySelector("header").append(body.querySelector(".menu"));
  document.querySelector("noscript").before(...body.childNodes);
}
