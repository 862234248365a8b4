// `npm run check`: runs all checks that only read the source.
import { runChecks } from "./lib/checks.mjs";
import { runMain } from "./lib/command.mjs";
import { ensureDependencies } from "./lib/dependencies.mjs";

await runMain(async () => {
  await ensureDependencies();
  const results = await runChecks();
  return results.every(({ passed }) => passed) ? 0 : 1;
});
