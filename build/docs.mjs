// `npm run docs`: builds the documentation site in out/help if its sources changed.
import { ensureHelp } from "./lib/built.mjs";
import { runMain } from "./lib/command.mjs";
import { ensureDependencies } from "./lib/dependencies.mjs";

await runMain(async () => {
  await ensureDependencies();
  await ensureHelp();
  console.error("Built: out/help. The service shows it at /help/.");
  return 0;
});
