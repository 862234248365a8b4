// `npm run sandbox -- …`: the service alone. Standard output belongs to the service; the bootstrap speaks on standard
// error.
import { runMain } from "./lib/main.mjs";
import { ensureBuilt, ensureDependencies } from "./lib/prepare.mjs";
import { projectNode, ROOT, serviceArguments } from "./lib/project.mjs";
import { supervise } from "./lib/supervise.mjs";
import { createVoice } from "./lib/voice.mjs";

const voice = createVoice(process.stderr);

await runMain(async () => {
  await ensureDependencies(ROOT, voice);
  await ensureBuilt(ROOT, voice, ["service", "explorer"]);
  const args = [...serviceArguments(ROOT), ...process.argv.slice(2)];
  const { status } = await supervise({ program: projectNode(ROOT), args, cwd: process.cwd(), env: process.env });
  return status;
});
