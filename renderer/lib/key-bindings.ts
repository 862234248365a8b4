export interface KeyBinding {
  /** Alternatives, for example `["j", "down"]`; "mod+k" is ⌘ on macOS and Ctrl elsewhere, "g j" a sequence. */
  readonly keys: readonly string[];
  /** The action, as the list of keys (`?`) shows it. */
  readonly label: string;
  readonly run: (event: KeyboardEvent) => void;
  /** Returns false where the press has another meaning, for example arrows in a scrolling region. */
  readonly when?: (event: KeyboardEvent) => boolean;
  /** A disabled binding stays in the list of keys but does nothing. */
  readonly enabled?: boolean;
  /** True if holding the key repeats the action, as for moving through rows. */
  readonly repeats?: boolean;
  /** The action changes something, so it needs focus in its pane (`data-acts-in`). */
  readonly acts?: boolean;
}
interface KeyGroup {
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

/** Adds bindings; the latest wins. Returns a function that removes them. */
export const addKeys = (group: KeyGroup): (() => void) => {
  groups = [...groups, group];
  changed();
  return () => {
    groups = groups.filter((other) => other !== group);
    changed();
  };
};

/** Sends the form that has focus. */
export const SENDING = "mod+enter";
