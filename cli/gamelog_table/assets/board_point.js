// Points of the screen as points of the board.

// Returns the point of the board `root` at a point of the screen.
export const onBoard = (root, x, y) => new DOMPoint(x, y).matrixTransform(root.getScreenCTM().inverse());
