// The chart of points, with one line for each seat.

import { $, el, svg } from "./dom.js";
import { badge } from "./seats.js";
import { t } from "./texts.js";

const DASHES = ["", "8 3", "4 2", "10 3 3 3", "2 2", "6 2 2 2", "14 4", "3 3 8 3"];
const LONG = 1000, HIGH = 100;

// Returns the scale of points, from 0 at the bottom to 1. If all seats begin with the same points, more than a quarter of the
// most and at least 20, the scale is logarithmic from these points, because small changes would be invisible.
function scale(data) {
  const values = [...data.score.keys.values()].flatMap(({ what }) => what), most = Math.max(...values, 1);
  const begun = data.seats.map((_, at) => data.score.at(at, 0) ?? 0), start = begun.every((points) => points === begun[0] && points > Math.max(19, most / 4)) ? begun[0] : 0;
  const rise = (points) => (start ? Math.sign(points - start) * Math.log1p(Math.abs(points - start)) : points);
  const least = Math.min(...values), low = rise(least), high = Math.max(rise(most), low + 1);
  return { start, least, most: Math.max(most, least + 1), part: (points) => (rise(points) - low) / (high - low) };
}

// Returns the path of one seat's line, which is level until the points change. If several changes have the same place on the axis,
// the line goes to the least, the most and the last of them.
function corners(data, at, part) {
  const y = (points) => (HIGH - part(points) * HIGH).toFixed(1), x = (n) => ((n / Math.max(data.last, 1)) * LONG).toFixed(data.last > LONG ? 0 : 1);
  const { when, what } = data.score.keys.get(at) || { when: [0], what: [0] };
  const steps = [];
  for (let i = 0, next; i < when.length; i = next) {
    for (next = i + 1; next < when.length && x(when[next]) === x(when[i]); ) next++;
    const some = what.slice(i, next), all = next > i + 2 ? [Math.min(...some), Math.max(...some), some.pop()] : some;
    steps.push((i ? "H" + x(when[i]) + "V" : "M" + x(when[i]) + " ") + all.map(y).join("V"));
  }
  return steps.join("") + "H" + LONG;
}

// Draws the chart of all events so far.
export function drawChart(data) {
  const root = $("plot");
  if ((root.parentElement.hidden = !data.score.keys.size)) return;
  const { start, least, most, part } = scale(data), middle = start ? HIGH - part(start) * HIGH : HIGH / 2;
  root.setAttribute("viewBox", `0 0 ${LONG} ${HIGH}`);
  root.replaceChildren(
    svg("path", { class: "axis", d: `M0 ${HIGH}H${LONG}M0 ${middle}H${LONG}M0 0H${LONG}` }),
    ...data.seats.map((_, at) => svg("path", { class: "casing", d: corners(data, at, part) })),
    ...data.seats.map((_, at) => svg("path", { class: `line stroke${at}`, "stroke-dasharray": DASHES[at % DASHES.length], d: corners(data, at, part) })),
    svg("path", { class: "sign", d: [...data.moments.keys()].map((n) => `M${(n / data.last) * LONG - 11} -14h22l-11 15Z`).join("") }),
    svg("line", { y1: 0, y2: HIGH, class: "here" }));
  $("high").textContent = most;
  $("low").textContent = least;
  $("axes").textContent = t(start ? "axes_change" : "axes", data.last, data.unit, start);
  labelLineEnds(data, part);
}

// Marks the shown event in the chart. A click jumps to an event.
export function connectChart(playback) {
  const { data } = playback, root = $("plot");
  const go = (event) => {
    const box = root.getBoundingClientRect();
    playback.go(((event.clientX - box.left) / box.width) * data.last, event.type === "pointerup" ? "jump" : "drag");
  };
  root.addEventListener("pointerdown", (event) => {
    root.setPointerCapture(event.pointerId);
    go(event);
  });
  root.addEventListener("pointermove", (event) => event.buttons && go(event));
  root.addEventListener("pointerup", go);
  playback.addEventListener("step", () => {
    const x = (playback.n / Math.max(data.last, 1)) * LONG;
    for (const side of ["x1", "x2"]) root.querySelector(".here")?.setAttribute(side, x);
  });
}

// Labels the end of each line with the player's name and points. Labels that would overlap are moved apart.
function labelLineEnds(data, part) {
  const labels = data.seats.map((seat, at) => ({ seat, at, points: data.score.at(at, data.last) ?? 0 })).sort((a, b) => b.points - a.points);
  let free = 0;
  $("ends").replaceChildren();
  const room = 100 / Math.max(labels.length, 5);
  labels.forEach(({ seat, at, points }, index) => {
    const wanted = 100 - part(points) * 100 - room / 2;
    const top = Math.min(Math.max(wanted, free), 100 - room * (labels.length - index));
    free = top + room;
    const name = data.name(seat.seat, data.last), label = el("span", { title: name }, badge(at), el("bdi", {}, name), el("b", {}, String(points)));
    label.style.top = top + "%";
    $("ends").append(label);
  });
}
