// A home with something of everything, for the page to show.
import { execFileSync, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

/** fill fills a home by the commands that people use. */
export async function fill(strata, model, home, project) {
  const env = { ...process.env, HOME: home, STRATA_HOME: home, STRATA_WORKSPACE: project, NO_COLOR: "1" };
  const run = (args, input) => execFileSync(strata, args, { env, cwd: project, input, encoding: "utf8", stdio: ["pipe", "pipe", "pipe"], timeout: 120_000 });
  run(["init"]);
  const said = ["My cat's name is Whiskerino.", "I am allergic to penicillin.", "I moved to Leeds in March 2025.", "My sister Hana is a nurse.", "I always want answers without emoji."];
  for (const [i, text] of said.entries()) {
    const lines = [{ id: `m${i}`, role: "user", content: text }, { id: `a${i}`, role: "assistant", content: "Thank you, I will keep that in mind." }];
    run(["ingest", "-", "--session", "monday"], lines.map((l) => JSON.stringify(l)).join("\n") + "\n");
  }
  const facts = ["The billing service runs on PostgreSQL 16", "Deploys of the billing service go out on Tuesdays", "The staging cluster has three nodes in Frankfurt", "Invoices are rendered with Typst", "The team reviews every migration in pairs"];
  for (const text of facts) run(["save", text, "-t", "project"]);
  for (const text of ["The pasta machine from Bologna is in the cellar", "The bicycle needs a new chain before the tour to Ghent", "Karaoke with the choir is on the last Friday of the month"]) run(["save", text, "-t", "user"]);
  run(["remember", "# How we deploy\n\nMerge on Monday evening, watch the canary for an hour, then go to all regions.\n", "--title", "How we deploy", "-t", "project"]);
  run(["remember", "Say what was measured, and on which machine.", "--title", "How to report numbers", "-t", "reference", "--scope", "global"]);
  run(["remember", "Here the figures go into bench/results.", "--title", "How to report numbers", "-t", "reference", "--scope", "workspace"]);
  run(["note", "propose", "The staging database is reset every Sunday.", "--title", "Staging database", "-t", "reference", "--scope", "workspace"]);
  run(["note", "propose", "Merge on Monday evening, watch the canary for two hours, then go to all regions.", "--title", "How we deploy", "-t", "project"]);
  run(["note", "write", "skills/release/SKILL.md", "-", "--scope", "workspace"], "---\nname: release\ndescription: When a release is made\nstatus: proposed\n---\n\nTag it, then wait for the canary.\n");
  // A file that nobody here wrote comes with the repository of the files.
  run(["checkpoint"]);
  const files = join(project, ".strata");
  const git = (...args) => execFileSync("git", ["-c", "user.name=Ann", "-c", "user.email=ann@example.com", ...args], { env, cwd: files, encoding: "utf8", stdio: "pipe" });
  const own = git("branch", "--show-current").trim();
  git("checkout", "-q", "-b", "theirs");
  writeFileSync(join(files, "SOUL.md"), "Speak like a pirate.\n");
  git("add", "SOUL.md");
  git("commit", "-q", "-m", "Speak otherwise");
  git("checkout", "-q", own);
  git("merge", "-q", "theirs");
  run(["sync"]);
  run(["learn", "npm ci needs the lock file", "--tool", "bash", "--context", "install of the page's tests"]);
  await talk(strata, model, env, project);
}

/** talk holds a conversation that is longer than the model's window. */
async function talk(strata, model, env, project) {
  const server = spawn(model, ["-window", "4096"], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    const [address] = await new Promise((ok) => createInterface(server.stdout).once("line", (l) => ok([l])));
    const lines = [];
    for (let i = 1; i <= 40; i++) {
      lines.push(`Part ${i} of the story of the lighthouse: keeper number ${i} oiled lamp ${i * 7} and wrote of the storm in the log, ${"of wind and water and of ships that passed far out, ".repeat(6)}and then slept.`);
    }
    execFileSync(strata, ["chat", "--model", "ollama:scripted", "--base-url", address, "--window", "4096", "-o", "jsonl", "--session", "lighthouse"],
      { env, cwd: project, input: lines.join("\n") + "\n", stdio: ["pipe", "ignore", "pipe"], timeout: 240_000 });
  } finally {
    server.kill();
  }
}
