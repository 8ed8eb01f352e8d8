// The forms of cells, pieces and seat marks (shapes.json, which pictures share), in hundredths of a cell's width.

import drawings from "./shapes.json";

export const U = 100;

export const shapes = drawings;

export function outline(cell) {
  const w = (cell.w ?? 1) * U, h = (cell.h ?? 1) * U;
  return (cell.shape === "hex" ? shapes.hex : shapes.square).map(([x, y]) => [x * w, y * h]);
}

export function points(corners, scale = 1) {
  return corners.map(([x, y]) => `${(x * scale).toFixed(1)},${(y * scale).toFixed(1)}`).join(" ");
}

// The classes that colour what is of `kind`: one of six tints, which kinds of known looks override.
export function ground(kind) {
  let sum = 0;
  for (const letter of kind) sum = (sum * 31 + letter.codePointAt(0)) % 997;
  return kind ? `tint${sum % 6} k-${kind.replace(/[^A-Za-z0-9]/g, "-")}` : "plain";
}
