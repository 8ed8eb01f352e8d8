// The forms of cells, pieces and seat marks, in units of a hundredth of a cell's width.

export const U = 100;

export function outline(cell) {
  const w = (cell.w ?? 1) * U / 2, h = (cell.h ?? 1) * U / 2;
  if (cell.shape === "hex") return [[w, 0], [w / 2, h * 0.866], [-w / 2, h * 0.866], [-w, 0], [-w / 2, -h * 0.866], [w / 2, -h * 0.866]];
  return [[w, h], [-w, h], [-w, -h], [w, -h]];
}

export function points(corners, scale = 1) {
  return corners.map(([x, y]) => `${(x * scale).toFixed(1)},${(y * scale).toFixed(1)}`).join(" ");
}

// Pips of a die from 1 to 9, on a grid of three by three numbered by rows.
export const PIPS = ["", "4", "08", "048", "0268", "02468", "023568", "0234568", "01235678", "012345678"];

// Marks of seats, drawn round the origin within a radius of 10.
export const MARKS = {
  circle: "M-9 0a9 9 0 1 0 18 0a9 9 0 1 0-18 0Z",
  diamond: "M0-11L11 0L0 11L-11 0Z",
  triangle: "M0-10L10.500 8L-10.500 8Z",
  square: "M-8-8H8V8H-8Z",
  pentagon: "M0-10L10-2.500L6 9L-6 9L-10-2.500Z",
  star: "M0-11L3-3.500L10.500-3.500L4.500 1.500L6.500 9L0 4.500L-6.500 9L-4.500 1.500L-10.500-3.500L-3-3.500Z",
  cross: "M-4-10H4V-4H10V4H4V10H-4V4H-10V-4H-4Z",
  drop: "M0-11C7-3 9 0 9 3A9 8 0 1 1-9 3C-9 0-7-3 0-11Z",
};

// Patterns of seats, on a square of 16 by 16.
export const PATTERNS = {
  plain: "",
  slashes: "M-4 20L20-4M-4 4L4-4M12 20L20 12",
  dots: "M4 4h.01M12 12h.01",
  bars: "M0 4H16M0 12H16",
  grid: "M0 8H16M8 0V16",
  backslashes: "M-4-4L20 20M12-4L20 4M-4 12L4 20",
  rings: "M3 8a5 5 0 1 0 10 0a5 5 0 1 0-10 0",
  waves: "M0 8Q4 2 8 8T16 8",
};

export const PAWN = "M0-26a10 10 0 0 1 6 18c6 5 8 14 10 22h4v8h-40v-8h4c2-8 4-17 10-22a10 10 0 0 1 6-18Z";
export const FLAG = "M-14 28V-28H-10V-26C-2-30 6-20 20-25V-1C6 4-2-6-10-2V28Z";
