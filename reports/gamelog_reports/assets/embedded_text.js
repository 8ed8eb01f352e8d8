// Unpacks the texts that a page carries deflated in its script elements. Counterpart of packed.py.

const WINDOW = 1 << 15;

// Returns the unpacked `text`. Browsers take no dictionary, so `known` is put before the stream as a block without compression.
export async function unpack(text, known = "") {
  const before = new TextEncoder().encode(known).slice(-WINDOW), size = before.length;
  const block = new Uint8Array([0, size, size >> 8, ~size, ~size >> 8]);
  const stream = new Blob([block, before, Uint8Array.from(atob(text), (character) => character.charCodeAt(0))]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new TextDecoder().decode(new Uint8Array(await new Response(stream).arrayBuffer(), size));
}
