// `npm run bench -- …`: measures the built service. Standard output belongs to the result; the bootstrap and the
// progress speak on standard error.
import path from "node:path";
import { ensureChromium } from "./lib/chromium.mjs";
import { runMain } from "./lib/main.mjs";
import { ensureBuilt, ensureDependencies } from "./lib/prepare.mjs";
import { projectEnv, projectNode, ROOT, SERVICE_FLAGS } from "./lib/project.mjs";
import { supervise } from "./lib/supervise.mjs";
import { createVoice } from "./lib/voice.mjs";

const voice = createVoice(process.stderr);

await runMain(async () => {
  await ensureDependencies(ROOT, voice);
  const asked = process.argv.slice(2);
  const explorer = asked.includes("--explorer");
  await ensureBuilt(ROOT, voice, explorer ? ["service", "explorer"] : ["service"]);
  const chromium = explorer ? ["--chromium", await ensureChromium(ROOT, voice)] : [];
  // The services it starts run with the flags it runs with itself. Of two browsers the one that was asked for is taken.
  const args = [...SERVICE_FLAGS, path.join(ROOT, "sandbox/bench/main.ts"), ...chromium, ...asked];
  const { status } = await supervise({ program: projectNode(ROOT), args, cwd: process.cwd(), env: projectEnv(ROOT) });
  return status;
});
