// `npm run soak -- …`: kills the built service repeatedly and checks for lost data. Results go to standard output; the
// bootstrap's and the progress messages go to standard error.
import path from "node:path";
import { ensureBuilt } from "./lib/built.mjs";
import { run, runMain } from "./lib/command.mjs";
import { ensureDependencies } from "./lib/dependencies.mjs";
import { projectNode, ROOT } from "./lib/project.mjs";
import { ensureClusterPrograms } from "./lib/test-programs.mjs";

await runMain(async () => {
  await ensureDependencies();
  await ensureBuilt();
  if (process.argv.includes("--cluster")) await ensureClusterPrograms();
  const args = [path.join(ROOT, "sandbox/soak/main.ts"), ...process.argv.slice(2)];
  const { status } = await run(projectNode(), args, { cwd: process.cwd(), foreground: true });
  return status;
});
