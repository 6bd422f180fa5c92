/* Says on every page at how many tables it is the reader's turn: in front of the title and as a dot on the icon.

   <body data-turns="ADDRESS">   where that is asked; data-signed-in: for an account. Guests are asked for once they
                                 have sat at a table in this browser (turns.sits()).
   turns.show(isTurn)            whether it is the reader's turn at the table on this page */

const EVERY = 60_000;
const SITS = "atta:sits";
const REMEMBERED = 30 * 86_400_000;
const { turns: address, signedIn } = document.body.dataset;
const icon = document.querySelector("link[rel=icon]");
const plain = { href: icon?.href, type: icon?.type };
const title = document.title.replace(/^\(\d+\) /, "");

// A browser may keep nothing: then only this page knows that somebody sits.
function sat() {
  try {
    return Number(localStorage.getItem(SITS) ?? 0);
  } catch {
    return 0;
  }
}

function remember() {
  try {
    localStorage.setItem(SITS, Date.now());
  } catch {
    // as above
  }
}

class Turns {
  constructor() {
    this.asked = 0;
    this.here = 0;
    if (signedIn !== undefined || Date.now() - sat() < REMEMBERED) {
      this.begin();
    }
  }

  begin() {
    if (!this.isAsking) {
      this.isAsking = true;
      this.ask();
      setInterval(() => document.hidden || this.ask(), EVERY);
      document.addEventListener("visibilitychange", () => document.hidden || this.ask());
    }
  }

  sits() {
    remember();
    this.begin();
  }

  async ask() {
    const answer = await fetch(address, { headers: { Accept: "application/json" } }).catch(() => null);
    if (answer?.ok) {
      this.asked = (await answer.json()).count;
      this.draw();
    }
  }

  /* Whether it is the reader's turn at the table that the page shows, which knows it at once and counts it. */
  show(isTurn) {
    if (this.here !== Number(isTurn)) {
      this.asked = Math.max(0, this.asked + Number(isTurn) - this.here);
      this.here = Number(isTurn);
      this.draw();
    }
  }

  draw() {
    const count = Math.max(this.asked, this.here);
    document.title = count ? `(${count}) ${title}` : title;
    if (icon && this.isMarked !== Boolean(count)) {
      this.isMarked = Boolean(count);
      count ? dot() : Object.assign(icon, plain);
    }
  }
}

/* Puts a dot on the icon. */
function dot() {
  const image = new Image();
  image.onload = () => {
    const canvas = Object.assign(document.createElement("canvas"), { width: 64, height: 64 });
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0, 64, 64);
    context.fillStyle = "#C0341D";
    context.beginPath();
    context.arc(48, 16, 14, 0, 2 * Math.PI);
    context.fill();
    Object.assign(icon, { type: "image/png", href: canvas.toDataURL() });
  };
  image.src = plain.href;
}

export const turns = new Turns();
