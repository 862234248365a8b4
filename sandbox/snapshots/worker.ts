import { parentPort, workerData } from "node:worker_threads";
import { type FromWorker, type Work, type WorkKind, WorkRefusal, type WorkResults } from "./work.ts";

const say = (said: FromWorker): void => parentPort?.postMessage(said);

const SAID_EVERY_MS = 100;
let saidAt = 0;
/** Says how much is done, from 0 to 1, now and then. */
const onProgress = (progress: number): void => {
  const now = Date.now();
  if (now - saidAt < SAID_EVERY_MS) return;
  saidAt = now;
  say({ progress });
};

/** Each kind loads what it needs itself: a copy need not wait for what reads documents. */
const carryOut = async (work: Work): Promise<WorkResults[WorkKind]> => {
  switch (work.kind) {
    case "copy":
      return (await import("./copy-world.ts")).copyWorld(work, onProgress);
    case "restore":
      return (await import("./copy-world.ts")).restoreWorld(work, onProgress);
    case "export":
      return (await import("./export-document.ts")).exportDocument(work, onProgress);
    case "compare":
      return (await import("./compare-worlds.ts")).compareWorlds(work, onProgress);
    case "import":
      return (await import("./import-document.ts")).importDocument(work, onProgress);
  }
};

try {
  say({ result: await carryOut(workerData as Work) });
} catch (error) {
  if (error instanceof WorkRefusal) say({ refusal: { code: error.code, message: error.message } });
  else {
    const { message, stack = "" } = error instanceof Error ? error : new Error(String(error));
    const code = error instanceof Error && "code" in error ? String(error.code) : undefined;
    say({ failure: { message, code, stack } });
  }
}
