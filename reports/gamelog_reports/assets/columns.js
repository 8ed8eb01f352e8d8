// Unpacks numbers and JSON lines from columns. Counterpart of packed.py.

const LAST = 46, MORE = 45;

export function numbers(text) {
  const out = [];
  let value = 0, scale = 1;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i), digit = code - 35 - (code > 92);
    if (digit < LAST) {
      out.push(value + digit * scale);
      value = 0;
      scale = 1;
    } else {
      value += digit * scale;
      scale *= MORE;
    }
  }
  return out;
}

// Returns an integer from its code: the codes of negative integers are odd.
export const unzigzag = (value) => (value % 2 ? -(value + 1) / 2 : value / 2);

// Returns the tokens of a packed text. Strings have no quotes there, and other tokens have a mark.
export function tokens(text) {
  return text.split("\x7f").slice(0, -1).map((token) => (token[0] === "\x80" ? token.slice(1) : `"${token}"`));
}

// Returns a function that returns the next value of a column, as its text in the line.
function reader(column, tokens) {
  const values = numbers(column.slice(1));
  let at = 0, sum = 0;
  if (column[0] === "j") return () => String((sum += unzigzag(values[at++])));
  if (column[0] === "i") return () => String(values[at++]);
  if (column[0] === "r") return () => tokens[(sum += unzigzag(values[at++]))];
  if (column[0] === "s") return () => tokens[values[at++]];
  return () => {
    const from = at + 1;
    at = from + values[at];
    return "[" + values.slice(from, at).join() + "]";
  };
}

// Returns the lines of a table, byte for byte.
export function lines(table, tokens) {
  const shapes = table.shapes.map((shape, s) => {
    const parts = shape.split(/[\x81-\x83]/);
    return { parts, holes: shape.match(/[\x81-\x83]/g) || [], next: table.columns[s].map((column) => reader(column, tokens)) };
  });
  const times = numbers(table.times);
  let clock = 0, tick = 0;
  return numbers(table.order).map((s, index) => {
    const { parts, holes, next } = shapes[s];
    let line = parts[0], hole = 0;
    holes.forEach((kind, i) => {
      if (kind === "\x81") line += next[hole++]();
      else if (kind === "\x82") line += index + 1;
      else line += clock += times[tick++];
      line += parts[i + 1];
    });
    return line;
  });
}
