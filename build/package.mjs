// `npm run package -- …`: builds the desktop app's installers in out/desktop; `--dir` stops at the unpacked app.
import { ensureBuilt } from "./lib/built.mjs";
import { run, runMain } from "./lib/command.mjs";
import { ensureDependencies } from "./lib/dependencies.mjs";
import { projectNode } from "./lib/project.mjs";

await runMain(async () => {
  await ensureDependencies();
  await ensureBuilt();
  const { status } = await run(projectNode(), ["build/lib/desktop-package.mjs", ...process.argv.slice(2)]);
  return status;
});
