/**
 * Key bindings as people write them: "j", "?", "mod+k" (⌘ on macOS, Ctrl elsewhere), "mod+enter", and sequences: "g j".
 */
export interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

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

const SEQUENCE_MS = 1200;

export interface Matcher<B> {
  /** The binding a press completes, or null; presses that begin a sequence are remembered. */
  readonly press: (name: string, atMs: number, bindings: readonly B[]) => B | null;
}

/** Matches presses against bindings; of several, the last one given wins, so that the place on top comes first. */
export const createMatcher = <B extends { readonly keys: readonly string[] }>(): Matcher<B> => {
  let pending: string | null = null;
  let pendingAt = 0;
  return {
    press(name, atMs, bindings) {
      const sequence = pending !== null && atMs - pendingAt <= SEQUENCE_MS ? `${pending} ${name}` : null;
      pending = null;
      const found = (wanted: string) => bindings.findLast((binding) => binding.keys.includes(wanted)) ?? null;
      if (sequence) {
        const match = found(sequence);
        if (match) return match;
      }
      const starts = bindings.some((binding) => binding.keys.some((keys) => keys.startsWith(`${name} `)));
      if (starts) {
        pending = name;
        pendingAt = atMs;
        return null;
      }
      return found(name);
    },
  };
};

/** Whether a press means text rather than a command: true while typing, except for "mod+…" and Escape. */
export const belongsToTyping = (name: string, typing: boolean): boolean =>
  typing && !name.includes("mod+") && name !== "esc";
