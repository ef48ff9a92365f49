// Follows what happens to memory, so that what is shown is what it holds now.
import { follow, memory, own } from "./api.js";

const together = 400, later = 5000; // ms: what comes at once is one change; how long a lost server is left alone
let following; // cancels what is followed

/** quiet are kinds that change nothing of what is shown: the page's own questions are among them. */
const quiet = /^(recall|extraction)\./;

/** live calls changed when memory changes in the chosen scope, whoever changed it, but for the page itself. */
export async function live(changed) {
  following?.abort();
  const { signal } = (following = new AbortController());
  const refs = new Set(); // what the events of one moment are about
  let after, timer;
  signal.addEventListener("abort", () => clearTimeout(timer));
  while (!signal.aborted) {
    try {
      for await (const event of follow(memory.scope, after, signal)) {
        after = event.change;
        if (quiet.test(event.kind)) continue;
        refs.add(event.ref);
        timer ??= setTimeout(() => {
          timer = undefined;
          const others = [...refs].some((ref) => !own.delete(ref));
          refs.clear();
          if (others) changed();
        }, together);
      }
    } catch (err) {
      if (err.status === 401 || signal.aborted) return;
    }
    await new Promise((ok) => setTimeout(ok, later));
  }
}

/** stop follows nothing any more. */
export const stop = () => following?.abort();
