import { isMac } from "../../lib/desktop-bridge.ts";
import { type KeyBinding, keyGroups, SENDING } from "../../lib/key-bindings.ts";

export type KeyPress = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">;

const names: Record<string, string> = {
  ArrowDown: "down",
  ArrowUp: "up",
  ArrowLeft: "left",
  ArrowRight: "right",
  Escape: "esc",
  " ": "space",
};

/** The name of one press: "j", "?", "mod+k", "shift+enter"; null for a modifier alone. */
export const pressName = (press: KeyPress, mac: boolean): string | null => {
  if (["Shift", "Control", "Alt", "Meta", "CapsLock", "Dead"].includes(press.key)) return null;
  const key = names[press.key] ?? press.key.toLowerCase();
  const mod = mac ? press.metaKey : press.ctrlKey;
  const other = mac ? press.ctrlKey : press.metaKey;
  // Shift is part of what a printable key types ("?", "~"); it is named only with keys that type nothing, or with mod.
  const shift = press.shiftKey && (press.key.length > 1 || mod);
  return `${mod ? "mod+" : ""}${other ? "other+" : ""}${press.altKey ? "alt+" : ""}${shift ? "shift+" : ""}${key}`;
};

/** Whether a press types a character: the keys that can be turned off, because speech and slips press them too. */
const isCharacter = (name: string): boolean => name.length === 1;

const bound = <B extends { readonly keys: readonly string[] }>(bindings: readonly B[], keys: string): B | null =>
  bindings.findLast((binding) => binding.keys.includes(keys)) ?? null;

/**
 * Matches presses against bindings; of several, the last one given wins, so that the place on top comes first. A sequence
 * waits for its next key, however long: a character that completes none does nothing, and never what it does alone.
 */
export const createMatcher = <B extends { readonly keys: readonly string[] }>() => {
  let pending: string | null = null;
  return {
    /** The binding a press completes, or null; presses that begin a sequence are remembered. */
    press: (name: string, bindings: readonly B[]): B | null => {
      const begun = pending;
      pending = null;
      const sequence = begun === null ? null : bound(bindings, `${begun} ${name}`);
      if (sequence !== null || (begun !== null && isCharacter(name))) return sequence;
      if (bindings.some((binding) => binding.keys.some((keys) => keys.startsWith(`${name} `)))) {
        pending = name;
        return null;
      }
      return bound(bindings, name);
    },
    /** Ends a sequence that was begun: the person does something else. */
    forget: () => {
      pending = null;
    },
  };
};

/** Whether a press means text rather than a command: true while typing, except for "mod+…" and Escape. */
export const belongsToTyping = (name: string, typing: boolean): boolean =>
  typing && !name.includes("mod+") && name !== "esc";

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.matches("textarea, select, input:not([type=checkbox], [type=radio], [type=button])"));

/** Text of several lines, where a held Enter means more lines. */
const isManyLines = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches("textarea"));

/** Browsers press a button, and send a form, once more for each repeat of a held Enter: that is one wish. */
const ignoreHeldEnter = (event: KeyboardEvent): void => {
  if (event.key !== "Enter" || !event.repeat || isManyLines(event.target)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
};

const isAvailable = (binding: KeyBinding, event: KeyboardEvent): boolean =>
  binding.enabled !== false &&
  (!binding.acts || (event.target instanceof Element && event.target.closest("[data-acts-in]") !== null)) &&
  (binding.when?.(event) ?? true);

/**
 * One listener for the window. Returns what removes it.
 *
 * @param charactersAct whether keys that type a character act at all (WCAG 2.1.4)
 */
export const listenForKeys = (charactersAct: () => boolean): (() => void) => {
  const matcher = createMatcher<KeyBinding>();
  const onKey = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing) return;
    const name = pressName(event, isMac());
    if (!name || (isCharacter(name) && !charactersAct())) return;
    if (belongsToTyping(name, isTyping(event.target))) return matcher.forget();
    // On the way down: a field with a list of its own takes every Enter for a wish to open that list.
    if ((name === SENDING) !== (event.eventPhase === Event.CAPTURING_PHASE)) return;
    // A dialog on top keeps its keys; only what leaves it alone (mod+…) passes.
    const inDialog = document.querySelector("[role=dialog][aria-modal=true]") !== null;
    if (inDialog && !name.includes("mod+")) return;
    const bindings = keyGroups()
      .flatMap((group) => group.bindings)
      .filter((binding) => isAvailable(binding, event));
    const match = event.repeat ? bound(bindings, name) : matcher.press(name, bindings);
    if (!match) return;
    event.preventDefault();
    if (name === SENDING) event.stopPropagation();
    if (!event.repeat || match.repeats) match.run(event);
  };
  window.addEventListener("keydown", ignoreHeldEnter, true);
  window.addEventListener("keydown", onKey, true);
  window.addEventListener("keydown", onKey);
  window.addEventListener("pointerdown", matcher.forget);
  return () => {
    window.removeEventListener("keydown", ignoreHeldEnter, true);
    window.removeEventListener("keydown", onKey, true);
    window.removeEventListener("keydown", onKey);
    window.removeEventListener("pointerdown", matcher.forget);
  };
};
