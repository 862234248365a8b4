// `npm run build`: builds every stale part of the project.
import { ensureBuilt } from "./lib/built.mjs";
import { runMain } from "./lib/command.mjs";
import { ensureDependencies } from "./lib/dependencies.mjs";

await runMain(async () => {
  await ensureDependencies();
  await ensureBuilt();
  console.error("Built: out/sandbox, out/renderer, out/main, out/preload, out/help.");
  return 0;
});
