// Elements made by hand. Text from a record only ever becomes a text node.

const SVG = "http://www.w3.org/2000/svg";

export const $ = (id) => document.getElementById(id);

function furnished(element, given, children) {
  for (const [name, value] of Object.entries(given)) if ((value ?? false) !== false) element.setAttribute(name, value === true ? "" : value);
  element.append(...children.flat(Infinity).filter((child) => (child ?? null) !== null));
  return element;
}

export function el(tag, given = {}, ...children) {
  return furnished(document.createElement(tag), given, children);
}

export function svg(tag, given = {}, ...children) {
  return furnished(document.createElementNS(SVG, tag), given, children);
}

// Lets `parent` hold `children`, if what it holds looks otherwise: all that is new is laid out anew.
export function renew(parent, ...children) {
  const next = parent.cloneNode();
  next.append(...children);
  if (!next.isEqualNode(parent)) parent.replaceChildren(...children);
}
