// In a site, what all its pages have comes from a file beside them: the menu, and everything below the heading.

export function furnish(markup) {
  const { body } = new DOMParser().parseFromString(markup, "text/html");
  document.querySelector("header").append(body.querySelector(".menu"));
  document.querySelector("noscript").before(...body.childNodes);
}
