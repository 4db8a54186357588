"use strict";
// A line carries the lines of the source it stands for; its counterparts share one of them.
const lines = Array.from(document.querySelectorAll(".line[data-lines]"));
const bySource = new Map();
for (const line of lines) {
  for (const number of line.dataset.lines.split(" ")) {
    if (!bySource.has(number)) bySource.set(number, []);
    bySource.get(number).push(line);
  }
}
let held = null;
let mouse = "";

function counterparts(line) {
  return new Set(line.dataset.lines.split(" ").flatMap((number) => bySource.get(number)));
}

function light(line) {
  for (const each of document.querySelectorAll(".line.lit")) each.classList.remove("lit");
  if (line) for (const each of counterparts(line)) each.classList.add("lit");
}

function isSeen(line) {
  const box = line.closest(".lines");
  const below = line.offsetTop + line.offsetHeight > box.scrollTop + box.clientHeight;
  return line.offsetTop >= box.scrollTop && !below;
}

// A column in which no counterpart is seen scrolls to its first one; the page itself stays.
function reveal(line) {
  const others = Array.from(counterparts(line)).filter((each) => each.closest(".lines") !== line.closest(".lines"));
  for (const box of new Set(others.map((each) => each.closest(".lines")))) {
    const inside = others.filter((each) => box.contains(each));
    if (!inside.some(isSeen)) box.scrollTop = inside[0].offsetTop - box.clientHeight / 3;
  }
}

function show(line) {
  light(line);
  if (line) reveal(line);
}

function lineOf(event) {
  return event.target instanceof Element ? event.target.closest(".line[data-lines]") : null;
}

document.addEventListener("mouseover", (event) => {
  // What scrolls by under a mouse at rest is not pointed at.
  const place = `${event.clientX} ${event.clientY}`;
  if (place === mouse) return;
  mouse = place;
  show(lineOf(event) || held);
});
document.addEventListener("focusin", (event) => {
  held = lineOf(event);
  show(held);
});
document.addEventListener("focusout", () => {
  held = null;
  light(null);
});
// One stop for Tab in a column; the arrows go on from line to line.
document.addEventListener("keydown", (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step || !held) return;
  const own = Array.from(held.closest(".lines").querySelectorAll(".line[data-lines]"));
  const next = own[own.indexOf(held) + step];
  event.preventDefault();
  if (!next) return;
  held.tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
});
