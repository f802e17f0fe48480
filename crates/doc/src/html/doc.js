// Search over the names of all pages. `all` has a row for each name: kind, name, module around, address, summary.
function start(all) {
  const field = document.getElementById("search");
  const list = document.getElementById("found");
  let chosen = 0;

  // The smaller, the better: the whole name, its beginning, a part of it, its letters in order.
  function rank(name, path, query) {
    const plain = name.toLowerCase();
    if (plain === query || path === query) return 0;
    if (plain.startsWith(query) || path.endsWith(`.${query}`)) return 1;
    if (plain.includes(query)) return 2;
    if (path.includes(query)) return 3;
    let at = 0;
    for (const letter of query) {
      at = plain.indexOf(letter, at) + 1;
      if (at === 0) return -1;
    }
    return 4;
  }

  function search(query) {
    const found = [];
    all.forEach((row, number) => {
      const path = (row[2] ? row[2] + "." + row[1] : row[1]).toLowerCase();
      const order = rank(row[1], path, query);
      if (order >= 0) found.push({ row, order, number });
    });
    found.sort((a, b) => a.order - b.order || a.row[1].length - b.row[1].length || a.number - b.number);
    return found.slice(0, 50).map((it) => it.row);
  }

  function part(parent, tag, style, text) {
    const made = document.createElement(tag);
    if (style) made.className = style;
    made.textContent = text;
    parent.append(made);
    return made;
  }

  function show() {
    const query = field.value.trim().toLowerCase();
    list.textContent = "";
    chosen = 0;
    list.hidden = query === "";
    if (query === "") return;
    const rows = search(query);
    if (rows.length === 0) part(list, "li", "none", "nothing has such a name");
    rows.forEach(([word, name, around, address, summary], number) => {
      const item = part(list, "li", number === 0 ? "chosen" : "", "");
      part(item, "span", "word", word + " ");
      const link = part(item, "a", "", "");
      link.href = address;
      part(link, "code", "", name);
      if (around) part(item, "span", "around", " in " + around);
      if (summary) part(item, "span", "summary", " — " + summary);
    });
  }

  function choose(step) {
    const items = list.querySelectorAll("li");
    if (items.length === 0) return;
    items[chosen].classList.remove("chosen");
    chosen = (chosen + step + items.length) % items.length;
    items[chosen].classList.add("chosen");
    items[chosen].scrollIntoView({ block: "nearest" });
  }

  field.addEventListener("input", show);
  field.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") choose(1);
    else if (event.key === "ArrowUp") choose(-1);
    else if (event.key === "Escape") { field.value = ""; show(); }
    else if (event.key === "Enter") list.querySelector("li.chosen a")?.click();
    else return;
    event.preventDefault();
  });
  list.addEventListener("click", () => { list.hidden = true; });
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && document.activeElement !== field) {
      event.preventDefault();
      field.focus();
    }
  });
  // `?q=name` searches at once.
  const query = new URLSearchParams(location.search).get("q");
  if (query) { field.value = query; show(); }
}
