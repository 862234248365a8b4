/** How the two worlds of a page reach each other: names of DOM events that page scripts cannot guess. */
export interface Wire {
  /** Heard in the page's own world. */
  readonly toPage: string;
  /** Heard in the preload's isolated world. */
  readonly toPreload: string;
}

export type PageToPreload =
  | { kind: "call"; id: number; key: string; member: string; args: unknown[] }
  | { kind: "open"; url: string };
export type PreloadToPage =
  | { kind: "expose"; key: string; values: Record<string, unknown>; functions: string[] }
  | { kind: "answer"; id: number; value?: unknown; problem?: string };

/**
 * The page's end of the context bridge, and the place where its popups are asked for. Runs inside the page before its
 * own scripts, as text: it may use nothing from outside its own body.
 */
export function pageWorld(wire: Wire): void {
  const dispatch = EventTarget.prototype.dispatchEvent.bind(document);
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  let lastId = 0;

  const onlyData = (_key: string, value: unknown): unknown => {
    if (["function", "symbol", "bigint"].includes(typeof value)) throw new Error("An object could not be cloned.");
    return value;
  };
  const post = (message: PageToPreload) =>
    dispatch(new CustomEvent(wire.toPreload, { detail: JSON.stringify(message, onlyData) }));

  const proxyOf =
    (key: string, member: string) =>
    (...args: unknown[]) =>
      new Promise((resolve, reject) => {
        const id = ++lastId;
        waiting.set(id, { resolve, reject });
        post({ kind: "call", id, key, member, args });
      });

  document.addEventListener(wire.toPage, (event) => {
    const message: PreloadToPage = JSON.parse((event as CustomEvent<string>).detail);
    if (message.kind === "expose") {
      const functions = message.functions.map((member) => [member, proxyOf(message.key, member)]);
      const value = Object.freeze({ ...message.values, ...Object.fromEntries(functions) });
      Object.defineProperty(window, message.key, { value, enumerable: true });
      return;
    }
    const caller = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.problem === undefined) caller?.resolve(message.value);
    else caller?.reject(new Error(message.problem));
  });

  // A real popup that is held back and then closed shows up in Playwright and can hang the page that opened it.
  const ask = (address: string) => {
    post({ kind: "open", url: new URL(address, document.baseURI).href });
    return null;
  };
  window.open = (address) => ask(String(address ?? "about:blank"));
  const onClick = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[href]") : null;
    const forNewTab = event.button === 1 || event.ctrlKey || event.metaKey || event.shiftKey;
    const forOtherWindow = link !== null && !["", "_self", "_top", "_parent"].includes(link.target);
    if (link === null || event.defaultPrevented || !(forNewTab || forOtherWindow)) return;
    event.preventDefault();
    ask(link.href);
  };
  window.addEventListener("click", onClick);
  window.addEventListener("auxclick", onClick);
}
