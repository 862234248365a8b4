// `npm run check`: everything that can be told from the source alone.
import { runChecks } from "./lib/checks.mjs";
import { runMain } from "./lib/main.mjs";
import { ensureDependencies } from "./lib/prepare.mjs";
import { ROOT } from "./lib/project.mjs";
import { createVoice } from "./lib/voice.mjs";

const voice = createVoice(process.stdout);

await runMain(async () => {
  await ensureDependencies(ROOT, voice);
  voice.say("Checking types, lint and architecture …");
  const results = await runChecks(ROOT, voice);
  return results.every(({ passed }) => passed) ? 0 : 1;
});
