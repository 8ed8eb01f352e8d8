// The board as SVG: the ground is drawn once, then only cells that change are drawn again.

import { svg } from "./dom.js";
import { between, borders, groupNodes } from "./groups.js";
import { cellColour, content, header, narrow, outline, pathThrough, placement, points, shapes, UNIT, wedge } from "./pieces.js";
import { translated } from "./texts.js";

// Returns the outline of a cell, around its centre.
export function cellShape(cell, given) {
  if (cell.shape === "disc") return svg("ellipse", { rx: cell.w * UNIT / 2, ry: cell.h * UNIT / 2, ...given });
  return svg("polygon", { points: points(outline(cell), 0.985), "stroke-linejoin": "round", ...given });
}

export const cellTransform = (cell) => placement(cell.x * UNIT, cell.y * UNIT);

// Returns the owner's letter for the right side of the cell, because paper may have no colours.
function initial({ shape, w, h }, { letter }) {
  const [x, y] = shape === "hex" ? [0.36, 0.09] : [0.25, 0.4];
  return svg("text", { class: "rim", x: w * UNIT * x, y: h * UNIT * y }, letter);
}

// Returns a path through the points `path` of cells that does not cover its two ends. It begins further inside a `free` cell.
function pathData(cells, path, free) {
  const short = ([x, y], [u, v], room = 0.32) => between([x, y], [u, v], Math.min(room, (UNIT * room) / (Math.hypot(u - x, v - y) || 1)));
  const ends = [short(path[0], path[1], free ? 0.08 : undefined), ...path.slice(1, -1), short(path[path.length - 1], path[path.length - 2], cells.at(-1).label ? undefined : 0.4)];
  return pathThrough(ends);
}

const NONE = [];
const TINY = 64; // a board on which readable type would be larger, in hundredths of a cell, is a thumbnail without type
const LETTER = 26; // the width of a letter next to the cells, in hundredths of a cell (gamelog.play.contract.scene)

// Makes the letters of `text` narrow enough for its `room`. Paper has no layout yet, so the size `least` is assumed there.
function squeeze(text, room, least) {
  text.removeAttribute("textLength");
  if ((text.getComputedTextLength() || text.textContent.length * 0.65 * least) > room) narrow(text, room);
}

export class Board {
  constructor(root, data, paper = 0) {
    Object.assign(this, { root, data, paper, least: 0, n: 0, prototypes: new Map(), drawn: svg("g") });
    root.append(this.drawn);
    this.draw();
  }

  // Draws the ground. Later it is drawn again only if the board is turned.
  draw() {
    const { cells, links, rim } = this.data;
    const sides = (at, size, word) => cells.flatMap((cell) => [cell[at] - cell[size] / 2, cell[at] + cell[size] / 2])
      .concat(rim.flatMap((one) => [-1, 1].map((side) => one[word] + side * (word === 1 ? 0.12 * one[0].length : 0.25))));
    const xs = sides("x", "w", 1), ys = sides("y", "h", 2);
    const x = Math.min(...xs) * UNIT - 12, y = Math.min(...ys) * UNIT - 12, width = Math.max(...xs) * UNIT + 12 - x, height = Math.max(...ys) * UNIT + 12 - y;
    const more = Math.max(0, Math.min(400 / width, 300 / height) - 1) / 2; // so that a few cells are not too large
    this.whole = { x: x - width * more, y: y - height * more, width: width * (1 + 2 * more), height: height * (1 + 2 * more) };
    for (const cell of cells) cell.outer = [cell.x * UNIT - x - width / 2, cell.y * UNIT - y - height / 2].map((off) => Math.sign(Math.round(off)));
    this.view(this.whole);
    this.shown = [];
    this.bases = cells.map((cell) => this.cell(cell));
    this.layers = {};
    this.drawn.replaceChildren(this.defs(), svg("g", { class: "links" }, links.map((link) => this.link(link))),
      svg("g", { class: "ground" }, this.bases.map(({ group }) => group)), svg("path", { class: "borders", d: borders(cells) }));
    for (const name of ["under", "names", "tiles", "groups", "ways", "stand", "heads", "tags", "over"]) this.drawn.append((this.layers[name] = svg("g", { class: name })));
    this.words = new Map(); // the words on cells, which pieces can cover
    this.layers.names.append(...rim.map(([text, left, top]) => {
      const word = svg("text", { class: "rim", x: left * UNIT, y: top * UNIT + 8 }, text);
      this.words.set(cells.findIndex((cell) => Math.abs(cell.x - left) < 0.5 && Math.abs(cell.y - top) < 0.5), word);
      return word;
    }),
      ...this.bases.flatMap(({ name, cell }) => (name ? [svg("g", { transform: cellTransform(cell) }, name)] : [])));
  }

  // Shows only a part of the board, given in the units of the picture.
  view({ x, y, width, height }) {
    this.root.setAttribute("viewBox", [x, y, width, height].map((value) => Number(value.toFixed(2))).join(" "));
  }

  // Draws the board again after its cells have been turned.
  redraw() {
    this.draw();
    this.show(this.n);
    this.fit();
  }

  defs() {
    const weave = this.data.seats.map((seat, at) => svg("pattern", { id: "weave" + at, width: 16, height: 16, patternUnits: "userSpaceOnUse" },
      svg("path", { d: shapes.patterns[seat.pattern], class: `thread line${at}` })));
    const head = svg("marker", { id: "head", viewBox: "-1 -1 12 12", refX: 9, refY: 5, markerWidth: 4, markerHeight: 4, orient: "auto" },
      svg("path", { d: "M0 0L10 5L0 10L2 5Z", class: "head" }));
    return svg("defs", {}, weave, head);
  }

  link({ a, b, kind = "" }) {
    const [from, to] = [a, b].map((id) => this.data.cells[this.data.cellIndex.get(id)]);
    return svg("line", { x1: from.x * UNIT, y1: from.y * UNIT, x2: to.x * UNIT, y2: to.y * UNIT, class: `link k-${kind}` });
  }

  cell(cell) {
    const kind = cell.kind || "", look = `cell ${cellColour(kind)}`, point = cell.shape === "point", base = cellShape(cell, { class: point ? "cell plain" : look });
    const word = cell.label ?? "", name = word ? this.label(cell) : null;
    const group = svg("g", { transform: cellTransform(cell) }, svg("title", {}, [word && word !== cell.id ? `${word} ${cell.id}` : cell.id, kind, cell.zone].filter(Boolean).map(translated).join(" · ")), base, point && svg("polygon", { points: points(wedge(cell)), class: look }));
    return { group, name, owner: null, cell };
  }

  label(cell) {
    const high = cell.h * UNIT / 2, tray = cell.shape === "tray", y = (cell.shape === "hex" ? -high * 0.866 : -high) + (tray ? 7 : 9);
    const name = svg("text", { class: tray ? "label tray" : "label", y }, cell.label);
    this.fitName(name, cell);
    return name;
  }

  // Hides a name that does not fit on its cell, and adds the owner's name if both fit. If only the owner's name fits, it is shown alone.
  fitName(name, cell) {
    const wide = cell.w * UNIT, tray = cell.shape === "tray", fits = (letters, size) => letters * size <= wide;
    const owner = cell.seat && this.data.name(cell.seat, this.n), longer = owner ? [`${cell.label} · ${owner}`, ...(tray ? [] : [owner])] : [];
    name.textContent = longer.find(({ length }) => fits(length * (tray ? 0.35 : 0.6), Math.max(this.least, 12))) ?? cell.label;
    name.style.setProperty("--most", Math.min(tray ? header(cell) - 4 : 17, wide / ((tray ? cell.label : name.textContent).length * 0.6)) + "px");
    name.toggleAttribute("hidden", !tray && !fits(cell.label.length * 0.7 + 0.5, this.least));
    squeeze(name, wide - (tray ? 12 : 6), this.least);
  }

  // Shows the position after event n. Returns the cells that have changed.
  show(n) {
    const changed = [];
    this.data.cells.forEach((cell, at) => {
      const shown = (this.shown[at] ??= { fill: null, pieces: NONE, node: null, tile: null });
      const fill = this.data.fills.at(at, n) ?? null, pieces = this.data.pieces.at(at, n) ?? NONE;
      if (fill !== shown.fill) this.showOwner(at, fill);
      if (pieces !== shown.pieces) this.drawPieces(at, pieces);
      if (fill !== shown.fill || pieces !== shown.pieces) changed.push(at);
      shown.fill = fill;
      shown.pieces = pieces;
    });
    this.n = n;
    for (const { name, cell } of this.bases) if (name && cell.seat) this.fitName(name, cell);
    this.drawMarks(n);
    return changed;
  }

  showOwner(at, seat) {
    const base = this.bases[at], cell = this.data.cells[at];
    if (base.owner) base.owner.remove();
    base.owner = seat === null ? null : svg("g", { class: "owner" }, cellShape(cell, { class: `own seat${seat}` }), this.paper ? initial(cell, this.data.seats[seat]) : cellShape(cell, { class: `weave weave${seat}` }));
    if (base.owner) base.group.append(base.owner);
    if (base.name) base.name.classList.toggle("owned", seat !== null);
  }

  drawPieces(at, pieces) {
    const shown = this.shown[at], cell = this.data.cells[at];
    shown.node?.remove();
    shown.tile?.remove();
    shown.node = shown.tile = null;
    const covered = cell.label && pieces.some(([kind, seat]) => kind === "tile" && seat < 0); // by a tile, which then shows the cell's name
    if (cell.label) this.bases[at].name.classList.toggle("covered", covered);
    this.words.get(at)?.classList.toggle("covered", pieces.length > 0);
    if (!pieces.length) return;
    if (!this.prototypes.has(pieces)) this.prototypes.set(pieces, new Map());
    const drawn = this.prototypes.get(pieces), form = [cell.shape, cell.w, cell.h, Boolean(cell.label), cell.stacked, cell.outer].join();
    if (!drawn.has(form)) drawn.set(form, content(pieces, cell, this.data.seats, this.paper, this.least));
    shown.node = drawn.get(form).cloneNode(true);
    shown.node.setAttribute("transform", cellTransform(cell));
    this.layers.stand.append(shown.node);
    shown.tile = shown.node.querySelector(".base"); // paths are drawn on tiles, and pieces on paths
    if (covered) (shown.tile ?? shown.node).append(this.label(cell));
    if (!shown.tile) return;
    shown.tile.setAttribute("transform", cellTransform(cell));
    this.layers.tiles.append(shown.tile);
  }

  // Fits words and patterns to the board's size on the screen: on small cells they are larger, or hidden.
  fit() {
    const scale = this.paper ? this.paper / this.root.viewBox.baseVal.width : this.root.getScreenCTM()?.a || 1; // paper is the width of a printed board
    this.root.style.setProperty("--pixel", 1 / scale + "px");
    this.least = (this.paper ? 5 : innerWidth < 640 ? 7 : 9) / scale;
    this.root.classList.toggle("small", this.least > TINY);
    if (this.least > TINY) this.least = 0;
    this.root.style.setProperty("--least", this.least + "px");
    this.prototypes.clear();
    this.drawMarks(this.n);
    this.shown.forEach(({ pieces }, at) => this.drawPieces(at, pieces));
    for (const { name, cell } of this.bases) if (name) this.fitName(name, cell);
    for (const word of this.root.querySelectorAll(".rim")) squeeze(word, Math.max(word.textContent.length, 3) * LETTER, this.least);
    for (const pattern of this.root.querySelectorAll("pattern")) pattern.setAttribute("patternTransform", `scale(${Math.max(1, 0.5 / scale)})`);
  }

  // The pieces shown on a cell.
  pieces(at) {
    const { node } = this.shown[at];
    return node ? node.querySelectorAll(".piece") : [];
  }

  // The point of a cell at which paths end: its centre, or the last piece of a row of pieces, or the place of its first piece.
  end(at) {
    const { x, y, w = 1, h = 1, shape, label, outer } = this.data.cells[at], middle = [x * UNIT, y * UNIT];
    if (label || !/tray|point/.test(shape)) return middle;
    const last = this.shown[at].node?.lastChild.transform.baseVal[0].matrix, off = last ? [last.e, last.f] : [Math.max(w - h, 0) * 47 * outer[0], Math.max(h - w, 0) * 47 * outer[1]];
    return middle.map((value, axis) => value + off[axis]);
  }

  // Draws the marks of the game, the changed cells, and the cells and paths that the event names.
  drawMarks(n) {
    const { cells } = this.data, { under, over, ways: drawn, heads } = this.layers;
    const at = (index, given) => cellShape(cells[index], { ...given, transform: cellTransform(cells[index]) });
    under.replaceChildren(...cells.flatMap((_, index) => {
      const marks = (this.data.marks.at(index, n) || []).filter(([kind]) => !/group|badge/.test(kind));
      return marks.map(([kind, text]) => svg("g", {}, text ? svg("title", {}, translated(text)) : null, at(index, { class: `mark m-${kind}` })));
    }));
    const { outlines, tags } = groupNodes(this.data, n, this.paper, this.least);
    this.layers.groups.replaceChildren(...outlines);
    this.layers.tags.replaceChildren(...tags);
    over.replaceChildren();
    drawn.replaceChildren();
    heads.replaceChildren();
    if (n === 0) return;
    const changed = new Set([...this.data.pieces.changed(n), ...this.data.fills.changed(n)]);
    const mask = this.data.maskAt(n), paths = mask ? [] : this.data.eventPaths(n), named = mask ? [] : [...this.data.places(n), ...paths.flat()];
    over.append(...[...new Set([...changed, ...named])].map((index) => at(index, { class: changed.has(index) ? "mark changed" : "mark named" })));
    for (const each of mask ? [] : this.data.drawnPaths(n)) {
      const free = !(this.data.pieces.at(each[0], n) ?? NONE).some(([kind]) => kind !== "tile"), d = pathData(each.map((index) => cells[index]), each.map((index) => this.end(index)), free);
      drawn.append(svg("path", { class: "way casing", d }), svg("path", { class: "way", d }));
      heads.append(svg("path", { class: "way tip", d, "marker-end": "url(#head)" }));
    }
  }
}
