import type { Codec, FunctionsAcross } from "./codec.ts";
import type { ContextTarget, EventNames, PageToPreload, PreloadToPage } from "./page-script.ts";

export type PreloadToMain =
  | { kind: "invoke"; id: number; channel: string; args: unknown[] }
  | { kind: "open"; url: string }
  | { kind: "context-menu"; pointed: ContextTarget }
  | { kind: "preload-failed"; message: string };
export type MainToPreload =
  | { kind: "answer"; id: number; value?: unknown; problem?: string }
  | { kind: "send"; channel: string; args: unknown[] };

/** The `process` object of a preload script. */
export interface PreloadProcess {
  readonly platform: string;
  readonly versions: Readonly<Record<string, string | undefined>>;
}

type Preload = (require: (id: string) => unknown, process: object) => void;
type Listener = (event: object, ...args: unknown[]) => void;

/**
 * The environment of a sandboxed preload: `require("electron")` with `contextBridge` and the necessary part of
 * `ipcRenderer`, without Node. Runs as text in an isolated world of the page, so it may use nothing outside its own
 * body.
 */
export function runPreloadScript(
  events: EventNames,
  names: { readonly send: string; readonly receive: string },
  preloadProcess: PreloadProcess,
  createCodec: (functions: FunctionsAcross | null) => Codec,
  preload: Preload,
): void {
  const globals = globalThis as unknown as Record<string, (message: string) => void>;
  const exposed = new Map<string, Record<string, unknown>>();
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  const listeners = new Map<string, Listener[]>();
  let lastId = 0;

  const withMain = createCodec(null);
  const withPage = createCodec({
    keep: () => {
      throw new Error("electron stand-in: a function that the preload hands to the page is not stood in for");
    },
    proxy:
      (id) =>
      (...args) =>
        toPage({ kind: "call-back", id, args }),
  });
  const toMain = (message: PreloadToMain) => globals[names.send]?.(withMain.encode(message));
  const toPage = (message: PreloadToPage) =>
    document.dispatchEvent(new CustomEvent(events.toPage, { detail: withPage.encode(message) }));
  const textOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
  const strict = (name: string, target: Record<string, unknown>) =>
    new Proxy(target, {
      get(owner, key) {
        if (typeof key === "symbol" || key in owner) return Reflect.get(owner, key);
        throw new Error(`electron stand-in: ${name}.${key} is not stood in for`);
      },
    });

  function invoke(channel: string, ...args: unknown[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const id = ++lastId;
      const refuse = (error: Error) => reject(new Error(`Error invoking remote method '${channel}': ${error.message}`));
      waiting.set(id, { resolve, reject: refuse });
      toMain({ kind: "invoke", id, channel, args });
    });
  }
  function on(channel: string, listener: Listener): void {
    listeners.set(channel, [...(listeners.get(channel) ?? []), listener]);
  }
  globals[names.receive] = (text) => {
    const message = withMain.decode(text) as MainToPreload;
    if (message.kind === "send") {
      for (const listener of listeners.get(message.channel) ?? []) listener({}, ...message.args);
      return;
    }
    const caller = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.problem === undefined) caller?.resolve(message.value);
    else caller?.reject(new Error(message.problem));
  };

  function exposeInMainWorld(key: string, api: Record<string, unknown>): void {
    const functions = Object.keys(api).filter((member) => typeof api[member] === "function");
    const values = Object.fromEntries(Object.entries(api).filter(([member]) => !functions.includes(member)));
    if (Object.values(values).some((value) => typeof value === "object")) {
      throw new Error("electron stand-in: an exposed object inside an object is not stood in for");
    }
    exposed.set(key, api);
    toPage({ kind: "expose", key, values, functions });
  }
  document.addEventListener(events.toPreload, (event) => {
    const message = withPage.decode((event as CustomEvent<string>).detail) as PageToPreload;
    if (message.kind !== "call") {
      toMain(message);
      return;
    }
    const { id, key, member, args } = message;
    const call = exposed.get(key)?.[member];
    Promise.resolve()
      .then(() => (typeof call === "function" ? call(...args) : undefined))
      .then((value) => toPage({ kind: "answer", id, value }))
      .catch((error: unknown) => toPage({ kind: "answer", id, problem: textOf(error) }));
  });

  const electron = strict("electron (in the preload)", {
    contextBridge: strict("contextBridge", { exposeInMainWorld }),
    ipcRenderer: strict("ipcRenderer", { invoke, on }),
  });
  function require(id: string): unknown {
    if (id === "electron" || id === "electron/renderer") return electron;
    throw new Error(`module not found: ${id}`);
  }
  try {
    preload(require, strict("process (in the preload)", { ...preloadProcess, sandboxed: true, contextIsolated: true }));
  } catch (error) {
    toMain({ kind: "preload-failed", message: textOf(error) });
  }
}
