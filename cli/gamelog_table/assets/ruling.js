// The arbiter's decision: of one part, or of several that are written together.

import { confirmed } from "./confirm.js";
import { el } from "./dom.js";
import { field, fields, labelled, picked } from "./forms.js";
import { t } from "./texts.js";

// Which member says more of a kind of ruling, and which kinds stand beside another.
const HOLDS = { takeback: "to", result: "result", forfeit: "result", penalty: "points", clock: "clock", warning: "warned" }, BESIDE = ["warning", "penalty", "clock"];

export function ruling(table, form, n) {
  const setting = table.setting(), member = (name) => form.members.find((one) => one.name === name), { event } = table.picture.now;
  const isClaim = event?.do === "@claim", kinds = member("kind").values.filter((kind) => !BESIDE.includes(kind) && (kind !== "upheld" || isClaim));
  const before = isClaim || event?.do === "@ruling" ? undefined : n - 1; // the server knows where these go back to
  const kind = picked([["", t("kind_none")], ...["stands", "takeback", ...kinds.filter((one) => one !== "stands" && one !== "takeback")].map((one) => [one, t("kind_" + one)])], "stands");
  const more = { to: field(member("to"), setting, before), result: field(member("result"), setting, { reason: t("reason_ruled") }) };
  const beside = BESIDE.map((one) => [one, field(member(HOLDS[one]), setting)]);
  const words = fields([member("reason"), member("name")], setting, { name: table.ruler });
  const show = () => Object.entries(more).forEach(([name, { node }]) => (node.hidden = HOLDS[kind.value] !== name));
  const read = () => {
    const said = words.read(), parts = beside.map(([one, part]) => [one, part.read()]).filter(([, value]) => value !== undefined);
    if (kind.value) parts.push([kind.value, more[HOLDS[kind.value]]?.read()]);
    table.ruler = said.name;
    return parts.length ? parts.map(([one, value]) => ({ do: form.do, by: form.by[0], about: n, kind: one, ...(value === undefined ? {} : { [HOLDS[one]]: value }), ...said })) : null;
  };
  const besides = el("details", {}, el("summary", {}, t("beside")), beside.map(([, part]) => part.node));
  kind.addEventListener("change", show);
  show();
  return confirmed(table, t("do_ruling_about", n), [labelled(t("member_kind"), kind), more.to.node, more.result.node, besides, ...words.nodes], read, { do: form.do });
}
