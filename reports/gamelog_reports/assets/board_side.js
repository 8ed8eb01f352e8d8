// The board turned to the side of another player: places turn, words stay upright. The device remembers the side of each game.

import { $ } from "./dom.js";
import { setSetting, setting } from "./settings.js";

// Turns the cells and the words at the rim by `quarters` of a circle.
export function turnPlaces(data, quarters) {
  for (let turned = 0; turned < quarters; turned++) {
    data.cells = data.cells.map(({ w, h, ...cell }) => ({ ...cell, x: -cell.y, y: cell.x, ...(h === undefined ? {} : { w: h }), ...(w === undefined ? {} : { h: w }) }));
    data.rim = data.rim.map(([word, x, y]) => [word, -y, x]);
  }
}

// Connects the button that turns `board` to the next side. `then` is called afterwards.
export function connectTurning(board, then) {
  $("turn-board").addEventListener("click", () => {
    const data = board.data.base ?? board.data, quarters = data.cells.some(({ shape }) => shape === "hex") ? 2 : 1; // by a sixth, a board of hexagons gets another outline and so another size
    data.side = (data.side + quarters) % 4;
    turnPlaces(data, quarters);
    setSetting("sides", { ...setting("sides"), [data.game]: data.side });
    board.redraw();
    then();
  });
}
