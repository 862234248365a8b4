import type { Codec, FunctionsAcross } from "./codec.ts";

/** Connects a page's two worlds through DOM events whose names page scripts cannot guess. */
export interface EventNames {
  /** Listened to in the page's own world. */
  readonly toPage: string;
  /** Listened to in the preload's isolated world. */
  readonly toPreload: string;
}

/** Electron's description of the element under a right click. */
export interface ContextTarget {
  readonly x: number;
  readonly y: number;
  readonly linkURL: string;
  readonly selectionText: string;
  readonly isEditable: boolean;
}

export type PageToPreload =
  | { kind: "call"; id: number; key: string; member: string; args: unknown[] }
  | { kind: "open"; url: string }
  | { kind: "context-menu"; pointed: ContextTarget };
export type PreloadToPage =
  | { kind: "expose"; key: string; values: Record<string, unknown>; functions: string[] }
  | { kind: "answer"; id: number; value?: unknown; problem?: string }
  | { kind: "call-back"; id: number; args: unknown[] };

/**
 * The page's end of the context bridge, and of its popups and context menus. Runs as text before the page's own
 * scripts, so it may use nothing outside its own body.
 */
export function runPageScript(events: EventNames, createCodec: (functions: FunctionsAcross | null) => Codec): void {
  const dispatch = EventTarget.prototype.dispatchEvent.bind(document);
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  const callBacks: ((...args: unknown[]) => unknown)[] = [];
  let lastId = 0;

  const { encode, decode } = createCodec({
    keep: (call) => callBacks.push(call) - 1,
    proxy: () => {
      throw new Error("electron stand-in: a function that the preload hands to the page is not stood in for");
    },
  });
  const post = (message: PageToPreload) => dispatch(new CustomEvent(events.toPreload, { detail: encode(message) }));

  const proxyOf =
    (key: string, member: string) =>
    (...args: unknown[]) =>
      new Promise((resolve, reject) => {
        const id = ++lastId;
        waiting.set(id, { resolve, reject });
        post({ kind: "call", id, key, member, args });
      });

  document.addEventListener(events.toPage, (event) => {
    const message = decode((event as CustomEvent<string>).detail) as PreloadToPage;
    if (message.kind === "expose") {
      const functions = message.functions.map((member) => [member, proxyOf(message.key, member)]);
      const value = Object.freeze({ ...message.values, ...Object.fromEntries(functions) });
      Object.defineProperty(window, message.key, { value, enumerable: true });
      return;
    }
    if (message.kind === "call-back") {
      callBacks[message.id]?.(...message.args);
      return;
    }
    const caller = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.problem === undefined) caller?.resolve(message.value);
    else caller?.reject(new Error(message.problem));
  });

  const linkAt = (target: EventTarget | null) =>
    target instanceof Element ? target.closest<HTMLAnchorElement>("a[href]") : null;

  // A real popup that is held back and then closed appears in Playwright and can hang the page that opened it.
  const requestOpen = (address: string) => {
    post({ kind: "open", url: new URL(address, document.baseURI).href });
    return null;
  };
  window.open = (address) => requestOpen(String(address ?? "about:blank"));
  const onClick = (event: MouseEvent) => {
    const link = linkAt(event.target);
    const forNewTab = event.button === 1 || event.ctrlKey || event.metaKey || event.shiftKey;
    const forOtherWindow = link !== null && !["", "_self", "_top", "_parent"].includes(link.target);
    // The right button opens the context menu instead.
    if (link === null || event.button === 2 || event.defaultPrevented || !(forNewTab || forOtherWindow)) return;
    event.preventDefault();
    requestOpen(link.href);
  };
  window.addEventListener("click", onClick);
  window.addEventListener("auxclick", onClick);

  window.addEventListener("contextmenu", (event) => {
    if (event.defaultPrevented) return;
    event.preventDefault();
    const { clientX: x, clientY: y, target } = event;
    const isEditable = target instanceof HTMLElement && (target.isContentEditable || target.matches("input, textarea"));
    const selectionText = String(getSelection() ?? "");
    post({ kind: "context-menu", pointed: { x, y, linkURL: linkAt(target)?.href ?? "", selectionText, isEditable } });
  });
}
