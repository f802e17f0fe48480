"use strict";
// Shows the data of the page: the source with its functions, and what is told of the selected one.
const data = JSON.parse(document.getElementById("data").textContent);
const byId = new Map(data.lambdas.map((it) => [it.id, it]));
const KINDS = {
  "gone": "gone: no code of its own",
  "function": "plain function",
  "parameters": "captures as parameters",
  "static-closure": "constant closure",
  "flat-closure": "flat closure",
};
const CLASSES = {
  "none": "no object", "stack": "on the stack", "static": "in the executable",
  "counted": "counted: until its last reference is gone",
};
const MODES = {
  "value": "by value", "cell": "by value: the cell is shared", "reference": "by reference",
};
let selected = null;

// An element with attributes and children; texts are never markup.
function el(name, attributes, ...children) {
  const svg = ["svg", "g", "rect", "text", "path", "title"].includes(name);
  const it = svg ? document.createElementNS("http://www.w3.org/2000/svg", name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (typeof value === "function") it.addEventListener(key, value);
    else if (value !== null && value !== undefined) it.setAttribute(key, value);
  }
  it.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return it;
}

function kindOf(lambda) {
  const kinds = lambda.copies.map((it) => it.representation);
  for (const kind of ["flat-closure", "static-closure", "parameters", "function"]) {
    if (kinds.includes(kind)) return kind;
  }
  return "gone";
}

function title(lambda) {
  const name = lambda.name || "fun";
  return lambda.origin === "partial-application" ? `partial application of ${name}` : name;
}

// ---- the source ------------------------------------------------------------------------------

const WORDS = /\(\*[\s\S]*?\*\)|\/\/[^\n]*|;[^\n]*|"(?:\\[\s\S]|[^"\\])*"|'(?:\\.|[^'\\])'|[A-Za-z_][\w']*/g;
const KEYWORDS = new Set(("let rec and in fun function match with if then else begin end type of ref mutable open module struct sig "
  + "val exception try raise when while do done for to downto as lazy external true false define lambda set! use namespace").split(" "));

// For every character: how it is coloured.
function coloured(text, name) {
  const classes = new Array(text.length).fill("");
  const scheme = /\.(esk|scm)$/.test(name);
  for (const found of text.matchAll(WORDS)) {
    const it = found[0];
    let kind = "";
    if (it.startsWith("(*")) kind = "co";
    else if (it.startsWith("//")) kind = scheme || /\.ml$/.test(name) ? "" : "co";
    else if (it.startsWith(";")) kind = scheme ? "co" : "";
    else if (it.startsWith("\"") || it.startsWith("'")) kind = "st";
    else if (KEYWORDS.has(it)) kind = "kw";
    if (kind) classes.fill(kind, found.index, found.index + it.length);
    // What looked like a comment of another language is read again from its second character.
    if (!kind && (it.startsWith(";") || it.startsWith("//"))) {
      coloured(it.slice(1), name).forEach((kind, at) => { classes[found.index + 1 + at] = kind; });
    }
  }
  return classes;
}

// The index of a line and column in the text; columns count characters.
function indexer(text) {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return (line, column) => {
    const start = starts[line - 1] ?? text.length;
    return start + [...text.slice(start, starts[line] ?? text.length)].slice(0, column - 1).join("").length;
  };
}

function sourceOf(file) {
  const { name, text } = file;
  const index = indexer(text);
  const inside = data.lambdas.filter((it) => it.place.file === name);
  const owner = new Array(text.length).fill(0);
  const cuts = new Set();
  const firsts = new Map();
  // Outer functions come first, so the innermost one is left.
  for (const it of inside) {
    const [from, to] = [index(it.place.line, it.place.column), index(it.place.end_line, it.place.end_column)];
    owner.fill(it.id, from, to);
    cuts.add(from).add(to);
    firsts.set(from, it.id);
    for (const { place } of it.captures) {
      if (place.file === name) cuts.add(index(place.line, place.column)).add(index(place.end_line, place.end_column));
    }
  }
  const classes = coloured(text, name);
  const pre = el("pre", {});
  let at = 0;
  text.replace(/\n$/, "").split("\n").forEach((line, number) => {
    const row = el("span", { class: "row", "data-line": number + 1, "data-file": name });
    const end = at + line.length;
    let from = at;
    while (from < end) {
      let to = from + 1;
      while (to < end && !cuts.has(to) && owner[to] === owner[from] && classes[to] === classes[from]) to += 1;
      row.append(piece(text.slice(from, to), owner[from], classes[from], firsts.get(from), `${name}:${number + 1}:${[...text.slice(at, from)].length + 1}`));
      from = to;
    }
    row.append("\n");
    pre.append(row);
    at = end + 1;
  });
  return [data.files.length > 1 ? el("h2", {}, name) : null, pre];
}

function piece(text, owner, kind, first, position) {
  if (!owner) return el("span", { class: kind || null, "data-at": position }, text);
  const lambda = byId.get(first || owner);
  const chain = [];
  for (let it = byId.get(owner); it; it = byId.get(it.inside)) chain.push(it.id);
  const attributes = {
    class: `fn ${kindOf(byId.get(owner))} ${kind}`, "data-at": position, "data-in": ` ${chain.join(" ")} `,
    click: () => select(owner),
  };
  if (first) {
    Object.assign(attributes, {
      class: `${attributes.class} first`, id: `s${first}`, tabindex: 0, role: "button",
      "aria-label": `${title(lambda)}, ${KINDS[kindOf(lambda)]}`,
      keydown: (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); select(first); } },
    });
  }
  return el("span", attributes, text);
}

// ---- arrows from a function to what it captures ----------------------------------------------

function arrows() {
  document.getElementById("arrows")?.remove();
  document.querySelectorAll(".bind").forEach((it) => it.classList.remove("bind"));
  const lambda = byId.get(selected);
  const pane = document.getElementById("source");
  const start = document.getElementById(`s${selected}`);
  if (!lambda || !start || !lambda.captures.length) return;
  const base = pane.getBoundingClientRect();
  const shift = (box) => ({ x: box.left - base.left + pane.scrollLeft, y: box.top - base.top + pane.scrollTop, w: box.width, h: box.height });
  const svg = el("svg", { id: "arrows", width: pane.scrollWidth, height: pane.scrollHeight, "aria-hidden": "true" });
  const from = shift(start.getBoundingClientRect());
  for (const { name, place } of lambda.captures) {
    const target = document.querySelector(`[data-at="${CSS.escape(`${place.file}:${place.line}:${place.column}`)}"]`);
    if (!target) continue;
    target.classList.add("bind");
    const to = shift(target.getBoundingClientRect());
    const [x1, y1] = [from.x + 2, from.y + 2];
    const below = to.y > from.y;
    const [x2, y2] = [to.x + to.w / 2, below ? to.y - 3 : to.y + to.h + 3];
    const same = Math.abs(to.y - from.y) < 4;
    const path = same
      ? `M${x1} ${y1} C${x1} ${y1 - 22} ${x2} ${y1 - 22} ${x2} ${to.y - 3}`
      : `M${x1} ${y1} C${x1 - 30} ${(y1 + y2) / 2} ${x2} ${(y1 + y2) / 2} ${x2} ${y2}`;
    const tip = same ? to.y - 3 : y2;
    const away = same || below ? -7 : 7;
    svg.append(el("path", { d: path }, el("title", {}, name)),
      el("path", { class: "head", d: `M${x2} ${tip} l-4 ${away} h8 z` }));
  }
  pane.append(svg);
}

// ---- the panel -------------------------------------------------------------------------------

function placeButton(place) {
  if (!place) return null;
  const shown = data.files.length > 1 ? `${place.file}:${place.line}:${place.column}` : `${place.line}:${place.column}`;
  return el("button", { class: "place", type: "button", click: () => light(place) }, shown);
}

function light(place) {
  document.querySelectorAll(".lit").forEach((it) => it.classList.remove("lit"));
  for (let line = place.line; line <= place.end_line; line += 1) {
    const row = document.querySelector(`.row[data-file="${CSS.escape(place.file)}"][data-line="${line}"]`);
    if (!row) continue;
    row.classList.add("lit");
    if (line === place.line) row.scrollIntoView({ block: "nearest" });
  }
}

// A text in which `code` stands between backticks.
function words(text) {
  return text.split("`").map((part, at) => (at % 2 ? el("code", {}, part) : part));
}

function reasonText(reason) {
  return [...words(reason.text), reason.place ? " · " : null, placeButton(reason.place)];
}

function counted(count, what) {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

function captureTable(lambda) {
  if (!lambda.captures.length) return el("p", {}, lambda.origin === "written" ? "Nothing." : "See the object.");
  const rows = lambda.captures.map((it) => el("tr", {},
    el("td", { class: "code" }, it.name), el("td", { class: "code" }, it.type),
    el("td", {}, MODES[it.mode] || it.mode), el("td", {}, placeButton(it.place))));
  return el("table", {}, el("thead", {}, el("tr", {}, ["name", "type", "mode", "bound at"].map((it) => el("th", { scope: "col" }, it)))),
    el("tbody", {}, rows));
}

// The fields of an object one below the other, each as high as it is long.
function picture(layout) {
  const width = 460, left = 56, box = 300;
  let y = 8;
  const parts = layout.fields.map((field) => {
    const height = Math.max(22, Math.min(60, field.size * 3.5));
    const words = field.kind === "padding" ? `${field.size} unused` : `${field.name}${field.type ? " : " + field.type : ""}`;
    const shown = words.length > 36 ? `${words.slice(0, 35)}…` : words;
    const group = el("g", { class: field.kind },
      el("title", {}, words),
      el("rect", { x: left, y, width: box, height, rx: 2 }),
      el("text", { x: left - 8, y: y + height / 2 + 4, "text-anchor": "end", class: "soft" }, String(field.offset)),
      el("text", { x: left + 10, y: y + height / 2 + 4, class: field.kind === "padding" ? "soft" : null }, shown),
      el("text", { x: left + box + 10, y: y + height / 2 + 4, class: "soft" }, counted(field.size, "byte")));
    y += height;
    return group;
  });
  return el("svg", { class: "layout", role: "img", viewBox: `0 0 ${width} ${y + 8}`, width, height: y + 8, "aria-label": `object of ${layout.size} bytes` }, parts);
}

function layoutPart(copy) {
  const { layout } = copy;
  if (layout.size) {
    const line = layout.cache_line === "within" ? "never across two cache lines" : "larger than a cache line";
    return [el("h3", {}, "Object"), el("p", {}, `${layout.size} bytes, ${line}.`), picture(layout)];
  }
  if (!layout.fields.length) return [];
  return [el("h3", {}, "Leading parameters"), el("table", {}, el("tbody", {}, layout.fields.map((it) => el("tr", {},
    el("td", { class: "code" }, it.name), el("td", { class: "code" }, it.type), el("td", {}, placeButton(it.place))))))];
}

function codePart(copy) {
  if (!copy.code || !copy.code.length) return [];
  const pre = el("pre", { class: "ir", tabindex: 0 });
  const show = (button, form) => {
    for (const it of button.parentNode.children) {
      it.setAttribute("aria-selected", String(it === button));
      it.tabIndex = it === button ? 0 : -1;
    }
    pre.textContent = form.text;
  };
  const names = { graph: "graph", ocaml: "ocaml dialect" };
  const buttons = copy.code.map((form) => el("button", { role: "tab", type: "button",
    click: (event) => show(event.currentTarget, form) }, names[form.form] || `strategy ${form.form}`));
  const tabs = el("div", { class: "tabs", role: "tablist", "aria-label": "Form of the code", keydown: moveTab }, buttons);
  show(buttons[0], copy.code[0]);
  return [el("h3", {}, "Code"), tabs, pre];
}

function copyPart(copy, index, lambda) {
  const many = lambda.copies.length > 1;
  const sites = [counted(copy.direct_calls, "direct call")];
  if (copy.layout.size) sites.push(`${counted(copy.possible_calls, "call")} through closures that can be it`, counted(copy.creations, "creation site"));
  return el("section", { class: "copy" },
    many ? el("h3", {}, `Copy ${index + 1} of ${lambda.copies.length}`) : null,
    many ? el("p", {}, el("code", {}, copy.type), `, ${copy.within}`) : null,
    el("h3", {}, "Representation"),
    el("p", {}, el("span", { class: `badge ${copy.representation}` }, KINDS[copy.representation] || copy.representation)),
    el("p", {}, "because ", reasonText(copy.reason)),
    layoutPart(copy),
    el("h3", {}, "Storage"),
    el("p", {}, el("span", { class: `badge class-${copy.storage.class}` }, CLASSES[copy.storage.class] || copy.storage.class)),
    el("ul", { class: "chain" }, copy.storage.reasons.map((it) => el("li", {}, reasonText(it)))),
    el("h3", {}, "Sites"), el("p", {}, `${sites.join(", ")}.`),
    codePart(copy));
}

function detail(lambda) {
  const parts = [el("h2", {}, el("code", {}, title(lambda)), el("code", { class: "ty" }, ` : ${lambda.type}`)),
    el("p", {}, "at ", placeButton(lambda.place),
      lambda.inside ? [", inside ", el("button", { class: "place", type: "button", click: () => select(lambda.inside) }, title(byId.get(lambda.inside)))] : null),
    el("h3", {}, "Captures"), captureTable(lambda)];
  if (lambda.gone) {
    parts.push(el("h3", {}, "Representation"),
      el("p", {}, el("span", { class: "badge gone" }, `gone after ${lambda.gone.pass}`)),
      el("p", {}, "because ", words(lambda.gone.reason)));
  }
  return parts.concat(lambda.copies.map((copy, index) => copyPart(copy, index, lambda)));
}

function select(id) {
  selected = byId.has(id) ? id : null;
  document.querySelectorAll(".fn").forEach((it) => it.classList.toggle("on", selected !== null && it.dataset.in.includes(` ${selected} `)));
  document.querySelectorAll("#list button").forEach((it) => it.setAttribute("aria-current", String(Number(it.dataset.id) === selected)));
  document.querySelectorAll(".lit").forEach((it) => it.classList.remove("lit"));
  const article = document.getElementById("detail");
  article.replaceChildren(...(selected ? detail(byId.get(selected)).flat() : [el("p", {}, "Choose a function in the source or in the list.")]));
  if (selected) {
    showTab("functions");
    document.getElementById(`s${selected}`)?.scrollIntoView({ block: "nearest" });
    document.querySelector(`#list [data-id="${selected}"]`)?.scrollIntoView({ block: "nearest" });
  }
  history.replaceState(null, "", selected ? `#f${selected}` : location.href.split("#")[0]);
  arrows();
}

function listItem(lambda) {
  return el("li", {}, el("button", { type: "button", "data-id": lambda.id, class: kindOf(lambda), title: KINDS[kindOf(lambda)], click: () => select(lambda.id) },
    el("i", {}), el("code", {}, title(lambda)), el("code", { class: "ty" }, lambda.type),
    el("span", { class: "at" }, `${lambda.place.line}:${lambda.place.column}`)));
}

function objects() {
  if (!data.allocations.length) return [el("p", {}, "The program makes no other objects.")];
  return data.allocations.map((it) => {
    const last = it.storage.reasons[it.storage.reasons.length - 1];
    const size = it.size === null ? "" : `, ${it.size} bytes`;
    return el("div", { class: "object" },
      el("span", {}, el("span", { class: `badge class-${it.storage.class}` }, it.storage.class)),
      el("span", {}, words(it.kind), " ", el("code", {}, it.type), size, it.copies > 1 ? `, ${it.copies} places` : ""),
      placeButton(it.place),
      last ? el("span", { class: "why" }, reasonText(last)) : null);
  });
}

function showTab(name) {
  for (const it of ["functions", "objects"]) {
    document.getElementById(it).hidden = it !== name;
    const tab = document.getElementById(`tab-${it}`);
    tab.setAttribute("aria-selected", String(it === name));
    tab.tabIndex = it === name ? 0 : -1;
  }
}

function moveTab(event) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  const tabs = [...event.currentTarget.querySelectorAll("[role=tab]")];
  const next = tabs[(tabs.indexOf(document.activeElement) + step + tabs.length) % tabs.length];
  next.focus();
  next.click();
}

function step(by) {
  const ids = data.lambdas.map((it) => it.id);
  if (!ids.length) return;
  const at = ids.indexOf(selected);
  select(ids[at < 0 ? (by > 0 ? 0 : ids.length - 1) : (at + by + ids.length) % ids.length]);
}

function theme() {
  const dark = document.documentElement.dataset.theme === "dark";
  document.documentElement.dataset.theme = dark ? "light" : "dark";
}

function start() {
  document.documentElement.dataset.theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  const kinds = data.lambdas.map(kindOf);
  const kindCounts = Object.keys(KINDS).map((kind) => [kind, kinds.filter((it) => it === kind).length]);
  document.getElementById("summary").textContent = `${counted(data.lambdas.length, "function")}, ${counted(data.allocations.length, "place")} with other objects`;
  document.getElementById("legend").append(...kindCounts.filter((it) => it[1]).map(([kind, count]) =>
    el("span", { class: kind }, el("i", {}), `${count} ${KINDS[kind]}`)));
  document.getElementById("source").append(...data.files.flatMap(sourceOf).filter(Boolean));
  document.getElementById("list").append(...data.lambdas.map(listItem));
  document.getElementById("objects").append(...objects());
  document.getElementById("theme").addEventListener("click", theme);
  for (const it of ["functions", "objects"]) document.getElementById(`tab-${it}`).addEventListener("click", () => showTab(it));
  document.querySelector("#panel > .tabs").addEventListener("keydown", moveTab);
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const actions = { j: () => step(1), k: () => step(-1), t: theme, Escape: () => select(null),
      o: () => showTab(document.getElementById("objects").hidden ? "objects" : "functions") };
    actions[event.key]?.();
  });
  addEventListener("resize", arrows);
  addEventListener("hashchange", () => select(Number(location.hash.slice(2))));
  if (location.hash === "#objects") { select(null); showTab("objects"); }
  else select(Number(location.hash.slice(2)) || (data.lambdas.find((it) => it.copies.length) || data.lambdas[0] || {}).id);
}

start();
