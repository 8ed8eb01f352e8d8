// Adds the parts that all pages of a site share: the menu, and everything below the heading.

export function addFurniture(markup) {
  const { body } = new DOMParser().parseFromString(markup, "text/html");
  document.querySelector("header").append(body.querySelector(".menu"));
  document.querySelector("noscript").before(...body.childNodes);
}
