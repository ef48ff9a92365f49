// Hands that have a keyboard and nothing else.

/** hands press keys on a page, and find what they press them on as a person does: by Tab. */
export function hands(page) {
  /** held is the name of what has the focus, as a screen reader would say it. */
  const held = () => page.evaluate(() => {
    const el = document.activeElement;
    const label = el.getAttribute("aria-label") || el.labels?.[0]?.innerText || el.innerText || el.textContent || "";
    return label.replace(/\s+/g, " ").trim();
  });
  const settled = () => page.waitForFunction(() => !document.querySelector("main").hasAttribute("aria-busy"));

  /** writing waits for the cursor, as who writes does: a dialog or an editor comes a moment after its button. */
  const writing = () => page.waitForFunction(() => document.activeElement.matches("input, textarea"));

  /** tabTo goes to what has a name; it fails if Tab does not lead there. */
  async function tabTo(name, key = "Tab") {
    const seen = [];
    for (let i = 0; i < 200; i++) {
      const now = await held();
      if (name.test(now)) return now;
      seen.push(now.slice(0, 40));
      await page.keyboard.press(key);
    }
    throw new Error(`Tab leads to nothing called ${name}; it leads to ${JSON.stringify(seen.slice(-40))}`);
  }

  return {
    held, settled, tabTo, writing,
    press: (key) => page.keyboard.press(key),
    /** type writes into the field that has the focus, once one has it. */
    async type(text) {
      await writing();
      await page.keyboard.type(text);
    },
    /** use goes to something and uses it. */
    async use(name, key = "Enter") {
      await tabTo(name);
      await page.keyboard.press(key);
      await settled();
    },
    /** view opens a view by the menu. */
    async view(name) {
      await tabTo(/^Menu$/, "Shift+Tab");
      await page.keyboard.press("Enter");
      await tabTo(name);
      await page.keyboard.press("Enter");
      await page.waitForFunction(() => document.activeElement !== document.body && !document.querySelector("nav:not(.folded)"));
      await settled();
    },
    /** replace gives that field another text. */
    async replace(text) {
      await writing();
      await page.keyboard.press("ControlOrMeta+A");
      await page.keyboard.type(text);
    },
  };
}
