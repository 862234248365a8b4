// `npm run package:npm`: builds the npm package in out/npm, ready for `npm pack` and `npm publish`.
import path from "node:path";
import { ensureBuilt } from "./lib/built.mjs";
import { run, runMain } from "./lib/command.mjs";
import { ensureDependencies } from "./lib/dependencies.mjs";
import { projectNode, ROOT } from "./lib/project.mjs";

await runMain(async () => {
  await ensureDependencies();
  await ensureBuilt();
  // Its libraries need the project's own Node.
  const { status } = await run(projectNode(), [path.join(ROOT, "build/lib/npm-package.mjs"), "out/npm"]);
  if (status === 0) console.error("Made out/npm. Pack it with `npm pack ./out/npm`.");
  return status;
});
