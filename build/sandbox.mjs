#!/usr/bin/env node
// `npm run sandbox -- …`, and `sandbox …` once the command is installed: the service alone. Standard output belongs to the service; the bootstrap speaks on standard
// error.
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
