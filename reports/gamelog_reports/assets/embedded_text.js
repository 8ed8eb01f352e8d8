// Unpacks the texts that a page carries deflated in its script elements. Counterpart of packed.py.

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;,=>?@^_`{|}~";

function decodeBase85(text) {
  const value = new Uint8Array(128);
  for (let i = 0; i < 85; i++) value[ALPHABET.charCodeAt(i)] = i;
  const padding = (5 - (text.length % 5)) % 5, full = text + "~".repeat(padding);
  const out = new Uint8Array((full.length / 5) * 4), view = new DataView(out.buffer);
  for (let i = 0, o = 0; i < full.length; i += 5, o += 4) {
    let word = 0;
    for (let k = 0; k < 5; k++) word = word * 85 + value[full.charCodeAt(i + k)];
    view.setUint32(o, word);
  }
  return out.subarray(0, out.length - padding);
}

const WINDOW = 1 << 15;

// Returns the unpacked `text`. Browsers take no dictionary, so `known` is put before the stream as a block without compression.
export async function unpack(text, known = "") {
  const before = new TextEncoder().encode(known).slice(-WINDOW), size = before.length;
  const block = new Uint8Array([0, size, size >> 8, ~size, ~size >> 8]);
  const stream = new Blob([block, before, decodeBase85(text.trim())]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new TextDecoder().decode(new Uint8Array(await new Response(stream).arrayBuffer(), size));
}
