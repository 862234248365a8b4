import { isMac } from "./desktop-bridge.ts";
import { belongsToTyping, createMatcher, pressName } from "./key-matcher.ts";

export interface KeyBinding {
  /** Alternatives, for example `["j", "down"]`. */
  readonly keys: readonly string[];
  /** What it does, as the list of keys (`?`) shows it. */
  readonly label: string;
  readonly run: (event: KeyboardEvent) => void;
  /** Leaves the press alone where it means something else, for example arrows in a scrolling region. */
  readonly when?: (event: KeyboardEvent) => boolean;
  /** Bindings that are not there for a moment stay in the list of keys; they just do nothing. */
  readonly enabled?: boolean;
}
export interface KeyGroup {
  readonly title: string;
  readonly bindings: readonly KeyBinding[];
}

let groups: readonly KeyGroup[] = [];
const listeners = new Set<() => void>();
const changed = () => {
  for (const listener of listeners) listener();
};

export const keyGroups = (): readonly KeyGroup[] => groups;
export const subscribeKeys = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Adds bindings; the latest added wins over earlier ones. Returns what takes them away again. */
export const addKeys = (group: KeyGroup): (() => void) => {
  groups = [...groups, group];
  changed();
  return () => {
    groups = groups.filter((other) => other !== group);
    changed();
  };
};

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.matches("textarea, select, input:not([type=checkbox], [type=radio], [type=button])"));

/** Sends the form that has the focus. */
export const SENDING = "mod+enter";

/** One listener for the window. Returns what removes it. */
export const listenForKeys = (): (() => void) => {
  const matcher = createMatcher<KeyBinding>();
  const onKey = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing) return;
    const name = pressName(event, isMac());
    if (!name || belongsToTyping(name, isTyping(event.target))) return;
    // On the way down: a field with a list of its own takes every Enter for a wish to open that list.
    if ((name === SENDING) !== (event.eventPhase === Event.CAPTURING_PHASE)) return;
    // A dialog on top keeps its keys; only what leaves it alone (mod+…) passes.
    const inDialog = document.querySelector("[role=dialog][aria-modal=true]") !== null;
    if (inDialog && !name.includes("mod+")) return;
    const bindings = groups
      .flatMap((group) => group.bindings)
      .filter((binding) => binding.enabled !== false && (binding.when?.(event) ?? true));
    const match = matcher.press(name, event.timeStamp, bindings);
    if (!match) return;
    event.preventDefault();
    if (name === SENDING) event.stopPropagation();
    match.run(event);
  };
  window.addEventListener("keydown", onKey, true);
  window.addEventListener("keydown", onKey);
  return () => {
    window.removeEventListener("keydown", onKey, true);
    window.removeEventListener("keydown", onKey);
  };
};
