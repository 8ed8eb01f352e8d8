// The page's own words, in its language.

let texts = {};

export function speak(all) {
  texts = all;
}

// The text `name`; {0}, {1}, … stand for the further arguments.
export function t(name, ...given) {
  return texts[name].replace(/\{(\d)\}/g, (_, index) => given[index]);
}
