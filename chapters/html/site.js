// What a page does by itself: light and dark, contents folded on a phone, search, and wide pictures,
// tables and listings that can be scrolled with the keyboard. Nothing is loaded from elsewhere; the
// search's index, search.js, is a script because a page that is opened as a file may not read others.
(function () {
  "use strict";
  var root = document.documentElement;
  function byId(id) { return document.getElementById(id); }
  function element(tag, text, parent) {
    var e = document.createElement(tag);
    e.textContent = text;
    parent.append(e);
    return e;
  }

  // ---- light and dark -----------------------------------------------------------------------------
  var button = byId("theme");
  button.hidden = false;
  button.onclick = function () {
    var dark = root.dataset.theme ? root.dataset.theme === "dark"
                                  : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    try { localStorage.theme = root.dataset.theme; } catch (e) { /* a page without storage */ }
  };

  if (matchMedia("(max-width: 64rem)").matches) byId("toc").open = false;

  // ---- what is wider than the page ----------------------------------------------------------------
  function mark_wide() {
    document.querySelectorAll("pre, .picture, figure.table, .ledger, math[display=block]").forEach(function (e) {
      if (e.scrollWidth > e.clientWidth + 1) e.tabIndex = 0;
      else e.removeAttribute("tabindex");
    });
  }
  addEventListener("load", mark_wide);
  addEventListener("resize", mark_wide);

  // ---- search -------------------------------------------------------------------------------------
  // warpbook_index is a list of [address, title, chapter, text], one for each section.
  var field = byId("search"), results = byId("results"), status = byId("search-status");
  var MOST = 12, AROUND = 70;

  function load_index(then) {
    if (window.warpbook_index) return then();
    var script = document.createElement("script");
    script.src = "search.js";
    script.onload = then;
    script.onerror = function () { status.textContent = "The search index, search.js, is missing."; };
    document.head.append(script);
  }

  // How well a section answers, 0 when one of the words is not in it.
  function score(section, words) {
    var title = section[1].toLowerCase(), text = section[3].toLowerCase(), sum = 0;
    for (var i = 0; i < words.length; i++) {
      var count = text.split(words[i]).length - 1, in_title = title.indexOf(words[i]);
      if (count === 0 && in_title < 0) return 0;
      sum += Math.min(count, 8) + (in_title < 0 ? 0 : 20) + (in_title === 0 ? 10 : 0);
      if (text.indexOf(" " + words[i]) >= 0) sum += 4;
    }
    return sum;
  }

  // The text around the first word found, with every word marked.
  function add_excerpt(parent, text, words) {
    var lower = text.toLowerCase(), at = -1;
    words.forEach(function (w) { if (at < 0) at = lower.indexOf(w); });
    var from = at <= AROUND ? 0 : text.lastIndexOf(" ", at - AROUND) + 1;
    var to = Math.min(text.length, Math.max(at, 0) + 2 * AROUND), line = element("p", from > 0 ? "… " : "", parent);
    while (from < to) {
      var next = to, length = 0;
      words.forEach(function (w) {
        var found = lower.indexOf(w, from);
        if (found >= 0 && found < next) { next = found; length = w.length; }
      });
      line.append(text.slice(from, next));
      if (length) element("mark", text.slice(next, next + length), line);
      from = next + length;
    }
    if (to < text.length) line.append(" …");
  }

  function show(words) {
    var found = warpbook_index.map(function (s) { return {section: s, score: score(s, words)}; })
      .filter(function (f) { return f.score > 0; })
      .sort(function (a, b) { return b.score - a.score; });
    results.replaceChildren();
    found.slice(0, MOST).forEach(function (f) {
      var item = element("li", "", results), link = element("a", f.section[1], item);
      link.href = f.section[0];
      if (f.section[2] !== f.section[1]) element("span", f.section[2], link);
      add_excerpt(item, f.section[3], words);
    });
    results.hidden = found.length === 0;
    status.textContent = found.length === 0 ? "Nothing found."
      : found.length === 1 ? "1 section" : found.length + " sections" + (found.length > MOST ? ", the best " + MOST + " shown" : "");
  }

  function close() { results.hidden = true; status.textContent = ""; }

  function search() {
    var words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.join("").length < 2 && !/[^\x00-\x7f]/.test(words.join(""))) return close();
    load_index(function () { show(words); });
  }

  // Arrow keys go through the results, Escape leaves them.
  function move(event, step) {
    var links = [field].concat(Array.from(results.querySelectorAll("a")));
    var at = links.indexOf(document.activeElement) + step;
    if (results.hidden || at < 0 || at >= links.length) return;
    event.preventDefault();
    links[at].focus();
  }
  byId("search-form").hidden = false;
  byId("search-form").onsubmit = function (event) {
    event.preventDefault();
    var first = results.querySelector("a");
    if (first && !results.hidden) first.click();
  };
  field.oninput = search;
  field.onfocus = search;
  byId("search-form").onkeydown = function (event) {
    if (event.key === "ArrowDown") move(event, 1);
    if (event.key === "ArrowUp") move(event, -1);
    if (event.key === "Escape") { field.focus(); close(); }
  };
  results.onclick = close;
  document.addEventListener("click", function (event) {
    if (!byId("search-form").contains(event.target)) close();
  });
  document.addEventListener("keydown", function (event) {
    var typing = /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement.tagName);
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      field.focus();
    }
  });
})();
