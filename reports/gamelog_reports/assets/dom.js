// Elements and buttons. Text from a record becomes a text node only, so it can never run as markup.

const SVG = "http://www.w3.org/2000/svg";

export const $ = (id) => document.getElementById(id);

function fillElement(element, given, children) {
  for (const [name, value] of Object.entries(given)) if ((value ?? false) !== false) element.setAttribute(name, value === true ? "" : value);
  element.append(...children.flat(Infinity).filter((child) => (child ?? false) !== false));
  return element;
}

export function el(tag, given = {}, ...children) {
  return fillElement(document.createElement(tag), given, children);
}

export function svg(tag, given = {}, ...children) {
  return fillElement(document.createElementNS(SVG, tag), given, children);
}

// A button that calls `act`.
export function button(label, act, given = {}) {
  const made = el("button", { type: "button", ...given }, label);
  made.addEventListener("click", act);
  return made;
}

// Adds rules to the styles of the page. A style element would break the security policy.
export function addStyle(rules) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(rules);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}

// Replaces the children of `parent` if they differ, because new elements cost a layout.
export function renew(parent, ...children) {
  const next = parent.cloneNode();
  next.append(...children);
  if (!next.isEqualNode(parent)) parent.replaceChildren(...children);
}
