// What is said beside the game: notes, claims, the clock, giving up, the result, rulings.

import { button, spoken } from "./desk.js";
import { $, el } from "./dom.js";
import { t, w } from "./texts.js";
import { winners } from "./words.js";

function labelled(name, input) {
  return el("label", {}, el("span", {}, name), input);
}

function picked(options) {
  return el("select", {}, options.map(([value, name]) => el("option", { value }, name)));
}

// A form in place of the buttons, until it is sent or left.
function asked(title, fields, send) {
  const made = el("form", { class: "form" }, el("h2", {}, title), fields, el("div", { class: "row" }, el("button", { class: "main" }, t("write")), button(t("cancel"), () => made.remove())));
  made.addEventListener("submit", (event) => {
    event.preventDefault();
    made.remove();
    send();
  });
  $("more").append(made);
  made.querySelector("input, textarea, select")?.focus();
  return made;
}

// The buttons for what this role may say about event `n`, which is shown; `act` writes it, `undone` asks what a takeback undoes.
export function remarks(setup, picture, n, act, undone, links) {
  const { role, seat } = setup, seats = setup.seats.map((one) => [one.seat, picture.name(one.seat)]), out = [];
  const { pending, clock, result } = picture.now, over = pending.outcome;
  const who = () => (role === "seat" ? el("input", { value: seat, hidden: true }) : picked(seats));
  const by = { scorer: "table", arbiter: "arbiter", seat }[role];
  out.push(button(t("note"), () => {
    const said = el("textarea", { required: true, maxlength: 2000 });
    asked(t("note"), [labelled(t("words"), said)], () => act({ do: "@note", by, text: said.value, ...(n ? { about: n } : {}) }));
  }));
  if (role !== "arbiter" && n) out.push(button(t("claim", n), () => {
    const said = el("textarea", { required: true, maxlength: 2000 }), whose = who();
    asked(t("claim", n), [...(role === "seat" ? [] : [labelled(t("who"), whose)]), labelled(t("words"), said)], () => act({ do: "@claim", by: whose.value, about: n, text: said.value }));
  }));
  if (role !== "seat" && !over) out.push(button(t(clock.running ? "pause_clock" : "resume_clock"), () => act({ do: "@clock", by, running: !clock.running })));
  if (role !== "arbiter" && !over && setup.resigning) out.push(button(t("resign"), () => {
    const whose = who();
    asked(t("resign"), role === "seat" ? [] : [labelled(t("who"), whose)], () => act({ do: "@resign", by: whose.value }));
  }));
  if (role === "scorer" && over && !result) out.push(button(t("write_result", `${winners(over.winners, (one) => picture.name(one))} (${w(over.reason)})`), () => act({ do: "@result", by: "table", outcome: over }), { class: "main" }));
  if (role === "scorer") out.push(button(t("hand_out"), async () => {
    const shown = (await links()).map((link) => el("figure", {}, el("img", { src: link.qr, alt: "", width: 180 }), el("figcaption", {}, `${t("role_" + link.role, picture.name(link.seat))}: `, el("code", {}, link.url))));
    const made = el("form", { class: "form" }, el("h2", {}, t("hand_out")), shown, button(t("cancel"), () => made.remove()));
    $("more").append(made);
  }));
  if (role === "arbiter" && n) out.push(button(t("ruling", n), () => ruling(n, picture, act, undone)));
  $("more").hidden = false;
  $("more").replaceChildren(el("div", { class: "row" }, out), ...$("more").querySelectorAll("form"));
}

function ruling(n, picture, act, undone) {
  const kind = picked([["stands", t("kind_stands")], ["takeback", t("kind_takeback")]]), reason = el("textarea", { required: true }), name = el("input", { required: true, autocomplete: "name" });
  const effect = el("p", { role: "status" });
  const preview = async () => {
    effect.textContent = "";
    if (kind.value !== "takeback") return;
    const gone = await undone(n - 1);
    effect.textContent = gone.length ? t("would_undo", gone.map((one) => `${one.n}. ${spoken(picture, one)}`).join(" ")) : t("would_undo_nothing");
  };
  kind.addEventListener("change", preview);
  asked(t("ruling", n), [labelled(t("kind"), kind), effect, labelled(t("reason"), reason), labelled(t("your_name"), name)], () =>
    act({ do: "@ruling", by: "arbiter", about: n, kind: kind.value, ...(kind.value === "takeback" ? { to: n - 1 } : {}), reason: reason.value, name: name.value }));
}
