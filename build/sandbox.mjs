#!/usr/bin/env node
// `npm run sandbox -- …`, and the installed command `sandbox …`: runs only the service. Standard output is the
// service's; the bootstrap uses standard error.
import { ensureBuilt } from "./lib/built.mjs";
import { run, runMain } from "./lib/command.mjs";
import { ensureDependencies } from "./lib/dependencies.mjs";
import { projectNode, SERVICE } from "./lib/project.mjs";

await runMain(async () => {
  await ensureDependencies();
  await ensureBuilt();
  const args = [...SERVICE, ...process.argv.slice(2)];
  const { status } = await run(projectNode(), args, { cwd: process.cwd(), env: process.env, foreground: true });
  return status;
});
