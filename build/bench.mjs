// `npm run bench -- …`: measures the built service. Results go to standard output; the bootstrap's and the progress
// messages go to standard error.
import path from "node:path";
import { ensureBuilt } from "./lib/built.mjs";
import { run, runMain } from "./lib/command.mjs";
import { ensureDependencies } from "./lib/dependencies.mjs";
import { projectNode, ROOT, SERVICE_FLAGS } from "./lib/project.mjs";
import { ensureChromium } from "./lib/test-programs.mjs";

await runMain(async () => {
  await ensureDependencies();
  await ensureBuilt();
  const options = process.argv.slice(2);
  const explorer = options.includes("--explorer") || options.includes("explorer");
  if (explorer) process.env.INTEGRATIONS_EXPLORER_CHROMIUM = await ensureChromium();
  // The measured services inherit these flags.
  const args = [...SERVICE_FLAGS, path.join(ROOT, "sandbox/bench/main.ts"), ...options];
  const { status } = await run(projectNode(), args, { cwd: process.cwd(), foreground: true });
  return status;
});
