// Pages that stay true: what is behind a link or form marked data-swap is put into the page that is there, and a page
// with data-pulse asks now and then whether anything happened. Without this script all of them are plain pages.
"use strict";

(() => {
  const main = document.getElementById("main");
  const said = document.getElementById("said");
  const QUICK = 3000, SLOW = 12000, SLOWEST = 60000;
  let busy = false, timer = 0, quietSince = Date.now();

  const key = (element) => element && (element.id ? `#${CSS.escape(element.id)}`
    : element.getAttribute("href") ? `${element.localName}[href="${CSS.escape(element.getAttribute("href"))}"]` : "");
  const scripts = (page) => [...page.querySelectorAll("script[src]")].map((script) => script.getAttribute("src")).join();
  const typed = () => [...main.querySelectorAll("input, textarea")].some((field) =>
    field.type === "checkbox" || field.type === "radio" ? field.checked !== field.defaultChecked
      : field.type !== "hidden" && field.value !== field.defaultValue);

  // Put another page's contents in place of this one's: focus, open parts and the place on the page stay.
  function show(html, address, byUser) {
    const page = new DOMParser().parseFromString(html, "text/html");
    const next = page.getElementById("main");
    if (!next || scripts(page) !== scripts(document)) { location.assign(address); return; }
    const focused = main.contains(document.activeElement) && document.activeElement !== main ? key(document.activeElement) : "";
    const open = [...main.querySelectorAll("details[id][open]")].map((part) => part.id);
    const [left, top] = [scrollX, scrollY];
    for (const name of ["class", "data-pulse", "data-version", "data-say"]) {
      if (next.hasAttribute(name)) main.setAttribute(name, next.getAttribute(name)); else main.removeAttribute(name);
    }
    main.replaceChildren(...next.childNodes);
    document.title = page.title;
    for (const id of open) document.getElementById(id)?.setAttribute("open", "");
    const again = focused && main.querySelector(focused);
    const place = (again && (again.id || !byUser) && again) || (byUser && main.querySelector("[data-focus]")) || again || (focused && main);
    if (place) place.focus({ preventScroll: true });
    scrollTo(left, top);
    if (byUser && place && place.dataset.focus === "scroll") place.scrollIntoView({ block: "center" });
    const news = byUser && place && place.matches("[data-focus]") ? "" : main.dataset.say || "";
    if (said && said.textContent !== news) said.textContent = news;
    document.querySelector(".news-bar")?.remove();
    document.dispatchEvent(new Event("emerald:shown"));
  }

  async function follow(address, options, push) {
    if (busy) return;
    busy = true;
    main.setAttribute("aria-busy", "true");
    try {
      const answer = await fetch(address, { credentials: "same-origin", ...options });
      if (!(answer.headers.get("Content-Type") || "").startsWith("text/html")) throw new TypeError("not a page");
      const html = await answer.text();
      const shown = answer.url + (address.split("#")[1] ? `#${address.split("#")[1]}` : "");
      if (push && shown !== location.href && (answer.redirected || !options)) history.pushState(null, "", shown);
      show(html, shown, true);
      quietSince = Date.now();
    } catch {
      // The plain way says what is wrong.
      if (!options) location.assign(address);
      return false;
    } finally {
      busy = false;
      main.removeAttribute("aria-busy");
      wait();
    }
    return true;
  }

  document.addEventListener("click", (event) => {
    const link = event.target.closest && event.target.closest("a[data-swap]");
    if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    follow(new URL(link.getAttribute("href"), location.href).href, undefined, true);
  });

  document.addEventListener("submit", async (event) => {
    const form = event.target;
    if (!form.matches("form[data-swap]") || event.defaultPrevented) return;
    event.preventDefault();
    const fields = new URLSearchParams(new FormData(form, event.submitter));
    const address = new URL(form.getAttribute("action") || location.href, location.href);
    const done = await follow(address.href, { method: "POST", body: fields }, true);
    // Sent again the plain way: a form of ours that comes twice is done once.
    if (done === false) form.submit();
  });

  addEventListener("popstate", () => follow(location.href, undefined, false));

  function wait() {
    clearTimeout(timer);
    if (!main.dataset.pulse || document.hidden) return;
    const quiet = Date.now() - quietSince;
    timer = setTimeout(pulse, quiet > 1800000 ? SLOWEST : quiet > 300000 ? SLOW : QUICK);
  }

  async function pulse() {
    if (busy) { wait(); return; }
    try {
      const answer = await fetch(main.dataset.pulse, { credentials: "same-origin", headers: { Accept: "application/json" } });
      if (answer.ok && !busy) {
        const { version } = await answer.json();
        if (version !== main.dataset.version) await changed(version);
      }
    } catch { quietSince = Math.min(quietSince, Date.now() - 300001); }
    wait();
  }

  async function changed(version) {
    quietSince = Date.now();
    if (typed()) { tell(version); return; }
    const before = location.href;
    const answer = await fetch(before, { credentials: "same-origin" });
    const html = await answer.text();
    if (answer.ok && !busy && before === location.href && !typed()) show(html, answer.url, false);
  }

  // Nobody's half-written form is taken away: a bar offers what is new.
  function tell(version) {
    main.dataset.version = version;
    if (document.querySelector(".news-bar") || !said) return;
    const bar = document.createElement("a");
    bar.className = "news-bar";
    bar.href = location.href;
    bar.textContent = said.dataset.news;
    document.body.append(bar);
    said.textContent = said.dataset.news;
  }

  document.addEventListener("visibilitychange", () => { if (document.hidden) clearTimeout(timer); else if (main.dataset.pulse) pulse(); });
  wait();
})();
