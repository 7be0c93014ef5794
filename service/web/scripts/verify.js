// The shuffle of a finished game, done again from its record as docs/RECORD.md says, with the browser's own HMAC.
"use strict";

const bench = document.getElementById("verify");
const encoder = new TextEncoder();
const GEMS = ["ruby", "emerald", "garnet", "turquoise"];
const GOLD_DECK = [1, 2, 3, 4, 5].flatMap((value) => Array(5).fill(value));
const GEM_DECK = GEMS.flatMap((gem) => Array(6).fill(gem));
const CAVES = [1, 2, 3, 4, 5, 6, 7, 8, 9];
const WORDS = 2 ** 32;
const MOST_THROWS = 1000; // more than any game has: a file of nonsense shall not keep the browser busy

function bytesOf(hex) {
  if (!/^([0-9a-f]{2})*$/.test(hex)) {
    throw new Error("not hexadecimal");
  }
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

function hexOf(buffer) {
  return Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function hmac(secret, message) {
  const key = await crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return crypto.subtle.sign("HMAC", key, message);
}

// An endless row of 32-bit words drawn from a key under a label.
class Stream {
  constructor(key, label) {
    this.key = key;
    this.label = encoder.encode(label);
    this.block = 0;
    this.words = [];
  }

  async word() {
    if (this.words.length === 0) {
      const message = new Uint8Array(this.label.length + 8);
      message.set(this.label);
      new DataView(message.buffer).setBigUint64(this.label.length, BigInt(this.block));
      const drawn = new DataView(await hmac(this.key, message));
      this.words = Array.from({ length: 8 }, (_, index) => drawn.getUint32(4 * index));
      this.block += 1;
    }
    return this.words.shift();
  }

  async below(n) {
    for (;;) {
      const word = await this.word();
      if (word < WORDS - (WORDS % n)) {
        return word % n;
      }
    }
  }
}

async function shuffled(deck, stream) {
  const cards = [...deck];
  for (let i = cards.length - 1; i > 0; i -= 1) {
    const j = await stream.below(i + 1);
    [cards[i], cards[j]] = [cards[j], cards[i]];
  }
  return cards;
}

// Dealt from the front: three gold and two gems at the odd caves, two and three at the even ones.
function dealt(cards, kind) {
  let from = 0;
  return CAVES.map((cave) => {
    const size = (cave % 2 === 1) === (kind === "gold") ? 3 : 2;
    from += size;
    return cards.slice(from - size, from);
  });
}

// Every check by its name: what the record says, and what it is.
async function reckoned(record, published) {
  const seed = bytesOf(record.seed);
  const tag = encoder.encode(`emerald-record/1|${record.entropy.join("|")}`);
  const key = await hmac(seed, tag);
  const { players, first, piles, dice } = record.setup;
  if (dice.length > MOST_THROWS) {
    throw new Error("not a game");
  }
  const checks = new Map();
  checks.set("published", [record.commitment, published]);
  checks.set("commitment", [record.commitment, hexOf(await crypto.subtle.digest("SHA-256", seed))]);
  const drawn = record.first_set ?? (await new Stream(key, "first").below(players));
  checks.set("first", [first, drawn]);
  for (const [kind, deck] of [["gold", GOLD_DECK], ["gem", GEM_DECK]]) {
    const laid = dealt(await shuffled(deck, new Stream(key, kind)), kind);
    for (const cave of CAVES) {
      checks.set(`${kind}-${cave}`, [piles[cave - 1]?.[kind], laid[cave - 1]]);
    }
  }
  const die = new Stream(key, "die");
  const throws = [];
  for (let i = 0; i < dice.length; i += 1) {
    throws.push(1 + (await die.below(3)));
  }
  checks.set("dice", [dice, throws]);
  return checks;
}

function shown(value) {
  return Array.isArray(value) ? value.join(", ") : String(value);
}

function mark(item, said, found) {
  const list = bench.querySelector(".checks");
  const good = JSON.stringify(said) === JSON.stringify(found);
  item.className = good ? "good" : "bad";
  item.querySelectorAll(".finding").forEach((old) => old.remove());
  const finding = document.createElement("span");
  finding.className = "finding";
  finding.textContent = good
    ? list.dataset.yes
    : `${list.dataset.no}: ${bench.dataset.says} ${shown(said)}; ${bench.dataset.is} ${shown(found)}`;
  item.append(finding);
  return good;
}

async function check(text) {
  const outcome = bench.querySelector(".outcome");
  const items = bench.querySelectorAll("[data-check]");
  outcome.className = "outcome";
  outcome.textContent = outcome.dataset.working;
  items.forEach((item) => {
    item.className = "";
    item.querySelectorAll(".finding").forEach((old) => old.remove());
  });
  let verdict = "unread";
  try {
    const record = JSON.parse(await text());
    const checks = await reckoned(record, bench.dataset.commitment);
    let good = true;
    for (const item of items) {
      const [said, found] = checks.get(item.dataset.check);
      good = mark(item, said, found) && good;
    }
    bench.querySelector(".count").textContent = `(${record.setup.dice.length})`;
    verdict = good ? "good" : "bad";
  } catch {
    verdict = "unread";
  }
  outcome.textContent = outcome.dataset[verdict];
  outcome.className = `outcome ${verdict}`;
}

async function download() {
  const answer = await fetch(bench.dataset.record);
  if (!answer.ok) {
    throw new Error(String(answer.status));
  }
  return answer.text();
}

if (globalThis.crypto?.subtle) {
  bench.querySelector(".bench").hidden = false;
  bench.querySelector(".again").addEventListener("click", () => check(download));
  document.getElementById("file").addEventListener("change", (event) => {
    const file = event.target.files[0];
    if (file) {
      check(() => file.text());
    }
  });
  check(download);
} else {
  bench.querySelector(".insecure").hidden = false;
}
