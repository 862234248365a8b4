// `npm run bench -- …`: measures the built service. Standard output belongs to the result; the bootstrap and the
// progress speak on standard error.
import path from "node:path";
import { runMain } from "./lib/main.mjs";
import { ensureBuilt, ensureDependencies } from "./lib/prepare.mjs";
import { projectEnv, projectNode, ROOT, SERVICE_FLAGS } from "./lib/project.mjs";
import { supervise } from "./lib/supervise.mjs";
import { createVoice } from "./lib/voice.mjs";

const voice = createVoice(process.stderr);

await runMain(async () => {
  await ensureDependencies(ROOT, voice);
  await ensureBuilt(ROOT, voice, ["service"]);
  // The services it starts run with the flags it runs with itself.
  const args = [...SERVICE_FLAGS, path.join(ROOT, "sandbox/bench/main.ts"), ...process.argv.slice(2)];
  const { status } = await supervise({ program: projectNode(ROOT), args, cwd: process.cwd(), env: projectEnv(ROOT) });
  return status;
});
