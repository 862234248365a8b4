import { parentPort } from "node:worker_threads";
import type { ErrorCode } from "../contract/errors.ts";
import { registerSecrets } from "../secrets/masking.ts";
import { setRealTime } from "../storage/real-time.ts";
import { type OnProgress, WorkRefusal } from "./work.ts";

/** Each kind imports its own modules, so a copy doesn't wait for the document code to load. */
const works = {
  copy: async () => (await import("./copy-world.ts")).copyWorld,
  restore: async () => (await import("./copy-world.ts")).restoreWorld,
  fold: async () => (await import("./copy-world.ts")).foldWorld,
  export: async () => (await import("./export-document.ts")).exportDocument,
  record: async () => (await import("./record-scenario.ts")).recordScenario,
  branch: async () => (await import("./branch-steps.ts")).branchSteps,
  finish: async () => (await import("./branch-steps.ts")).finishBranch,
  import: async () => (await import("./import-document.ts")).importDocument,
  compare: async () => (await import("./compare-worlds.ts")).compareWorlds,
  pack: async () => (await import("../cluster/pages.ts")).packWorld,
};

type Works = { readonly [K in keyof typeof works]: Awaited<ReturnType<(typeof works)[K]>> };
export type WorkKind = keyof Works;
export type WorkRequest<K extends WorkKind> = Parameters<Works[K]>[0];
/** A work's result besides its files. */
export type WorkResult<K extends WorkKind> = Awaited<ReturnType<Works[K]>>;

/** Messages of the worker thread; the last one carries the result. */
export type FromWorker =
  | { readonly progress: number }
  | { readonly result: unknown }
  | { readonly refusal: { readonly code: ErrorCode; readonly message: string } }
  | { readonly failure: { readonly message: string; readonly code: string | undefined; readonly stack: string } };

/** Transfers large buffers instead of copying them. */
const post = (message: FromWorker): void =>
  parentPort?.postMessage(
    message,
    "result" in message && message.result instanceof ArrayBuffer ? [message.result] : [],
  );

const REPORT_EVERY_MS = 100;
let reportedAt = 0;
const onProgress: OnProgress = (progress) => {
  if (Date.now() - reportedAt < REPORT_EVERY_MS) return;
  reportedAt = Date.now();
  post({ progress });
};

export interface ToWorker {
  readonly kind: WorkKind;
  readonly input: unknown;
  /** Values to mask verbatim. */
  readonly secrets: readonly string[];
  /** Difference of this machine's clock to real time, in milliseconds. */
  readonly aheadMs: number;
}

parentPort?.on("message", async ({ kind, input, secrets, aheadMs }: ToWorker) => {
  setRealTime(Date.now() - aheadMs);
  registerSecrets(secrets);
  try {
    const carryOut = (await works[kind]()) as (input: unknown, onProgress: OnProgress) => unknown;
    post({ result: await carryOut(input, onProgress) });
  } catch (error) {
    if (error instanceof WorkRefusal) return post({ refusal: { code: error.code, message: error.message } });
    const { message, stack = "" } = error instanceof Error ? error : new Error(String(error));
    const code = error instanceof Error && "code" in error ? String(error.code) : undefined;
    post({ failure: { message, code, stack } });
  }
});
