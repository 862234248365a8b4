// `npm run build`: everything the project builds, where it is stale.
import { runMain } from "./lib/main.mjs";
import { ensureBuilt, ensureDependencies } from "./lib/prepare.mjs";
import { ROOT } from "./lib/project.mjs";
import { createVoice } from "./lib/voice.mjs";

const voice = createVoice(process.stdout);

await runMain(async () => {
  await ensureDependencies(ROOT, voice);
  await ensureBuilt(ROOT, voice, ["service", "explorer", "desktop"]);
  voice.say("Built: out/sandbox, out/renderer, out/main, out/preload.");
  return 0;
});
