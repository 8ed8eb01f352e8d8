// What a judge has to say about an event: which rule it breaks, in the rule's words, and what was legal.

import { el } from "./dom.js";
import { t } from "./texts.js";
import { nodes } from "./words.js";

const KINDS = { "play.as_played": "disputed", "play.ruled": "settled", "play.undone": "was_undone", "play.claim": "open_claim", "play.offer": "open_offer" };

export function note(data, finding) {
  const mild = finding.severity === "warning", stood = finding.code === "play.as_played", rule = data.rules[finding.rule], legal = finding.legal || [];
  const kind = mild ? KINDS[finding.code] ?? "warning" : "error";
  return el("div", { class: `finding ${mild && !stood ? "warning" : "error"}` },
    el("strong", {}, mild ? "⚠ " : "✖ ", t(kind), ": "),
    el("bdi", {}, finding.message), ".",
    finding.rule ? el("p", { class: "rule" }, el("b", {}, finding.rule), " ", rule || "") : null,
    legal.length ? el("details", {}, el("summary", {}, t("legal_then", legal.length)), el("ul", {}, legal.map((event) => el("li", {}, nodes(data.plainly(event, finding.n)))))) : null);
}

// Findings about the record as a whole stand above the list.
export function general(data) {
  return data.findings.filter(({ n }) => !n || n >= data.events.length).map((finding) => note(data, finding));
}
