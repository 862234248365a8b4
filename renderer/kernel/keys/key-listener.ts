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

/** Names a press: "j", "?", "mod+k", "shift+enter"; null for a modifier alone. */
export const pressName = (press: KeyPress, mac: boolean): string | null => {
  if (["Shift", "Control", "Alt", "Meta", "CapsLock", "Dead"].includes(press.key)) return null;
  const key = names[press.key] ?? press.key.toLowerCase();
  const mod = mac ? press.metaKey : press.ctrlKey;
  const other = mac ? press.ctrlKey : press.metaKey;
  // A printable key includes its shift ("?", "~"), so shift is named only with other keys or with mod.
  const shift = press.shiftKey && (press.key.length > 1 || mod);
  return `${mod ? "mod+" : ""}${other ? "other+" : ""}${press.altKey ? "alt+" : ""}${shift ? "shift+" : ""}${key}`;
};

/** Returns whether a press types a character. These keys can be turned off, because speech input and slips press them too. */
const isCharacter = (name: string): boolean => name.length === 1;

const bound = <B extends { readonly keys: readonly string[] }>(bindings: readonly B[], keys: string): B | null =>
  bindings.findLast((binding) => binding.keys.includes(keys)) ?? null;

/**
 * Matches presses against bindings. The last matching binding wins, so that the place on top has priority. A sequence
 * waits for its next key without a timeout; a character that completes none is ignored, even if it is bound alone.
 */
export const createMatcher = <B extends { readonly keys: readonly string[] }>() => {
  let pending: string | null = null;
  return {
    /** Returns the binding that a press completes, or null; remembers presses that begin a sequence. */
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
    /** Ends a sequence, because the user does something else. */
    forget: () => {
      pending = null;
    },
  };
};

/** Returns whether a press is text input: true while typing, except for "mod+…" and Escape. */
export const belongsToTyping = (name: string, typing: boolean): boolean =>
  typing && !name.includes("mod+") && name !== "esc";

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.matches("textarea, select, input:not([type=checkbox], [type=radio], [type=button])"));

/** Multi-line text, where a held Enter repeats. */
const isManyLines = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches("textarea"));

/** A held Enter presses a button or sends a form again with each repeat; only the first press counts. */
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
 * Adds the window's key listener. Returns a function that removes it.
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
    // The sending key acts in the capture phase, because a field with a list uses every Enter to open it.
    if ((name === SENDING) !== (event.eventPhase === Event.CAPTURING_PHASE)) return;
    // An open dialog disables all other keys, except chords with mod.
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
