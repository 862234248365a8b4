import { randomUUID } from "node:crypto";
import { createCodec } from "./codec.ts";
import { type EventNames, runPageScript } from "./page-script.ts";
import { type PreloadProcess, runPreloadScript } from "./preload-script.ts";

/** Electron's own name for a preload's world. */
export const isolatedWorld = "Electron Isolated Context";

/** Global functions of the isolated world that connect it with the main process. */
export const names = { send: "__standInSend", receive: "__standInReceive" } as const;

/** The scripts that create a page's two worlds, in their order. */
export function pageScripts(preloadText: string): { source: string; worldName?: string }[] {
  const wire: EventNames = { toPage: randomUUID(), toPreload: randomUUID() };
  const preloadProcess: PreloadProcess = { platform: process.platform, versions: { ...process.versions } };
  const values = [wire, names, preloadProcess].map((value) => JSON.stringify(value)).join(", ");
  const preload = `function (require, process) { const exports = {}, module = { exports };\n${preloadText}\n}`;
  return [
    { source: topFrameOnly(`(${runPageScript})(${JSON.stringify(wire)}, ${createCodec})`) },
    { source: topFrameOnly(`(${runPreloadScript})(${values}, ${createCodec}, ${preload})`), worldName: isolatedWorld },
  ];
}

const topFrameOnly = (expression: string): string => `if (window === window.top) { ${expression} }`;
