// `npm run soak -- …`: kills the built service again and again and looks for what is lost. Standard output belongs to
// the result; the bootstrap and the progress speak on standard error.
import path from "node:path";
import { runMain } from "./lib/main.mjs";
import { ensureBuilt, ensureDependencies } from "./lib/prepare.mjs";
import { projectEnv, projectNode, ROOT } from "./lib/project.mjs";
import { supervise } from "./lib/supervise.mjs";
import { createVoice } from "./lib/voice.mjs";

const voice = createVoice(process.stderr);

await runMain(async () => {
  await ensureDependencies(ROOT, voice);
  await ensureBuilt(ROOT, voice, ["service"]);
  const args = [path.join(ROOT, "sandbox/soak/main.ts"), ...process.argv.slice(2)];
  const { status } = await supervise({ program: projectNode(ROOT), args, cwd: process.cwd(), env: projectEnv(ROOT) });
  return status;
});
