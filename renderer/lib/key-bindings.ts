export interface KeyBinding {
  /**
   * Alternatives, for example `["j", "down"]`; "mod+k" is ⌘ on macOS and Ctrl elsewhere, "g j" a sequence.
   */
  readonly keys: readonly string[];
  /** What it does, as the list of keys (`?`) shows it. */
  readonly label: string;
  readonly run: (event: KeyboardEvent) => void;
  /** Leaves the press alone where it means something else, for example arrows in a scrolling region. */
  readonly when?: (event: KeyboardEvent) => boolean;
  /** Bindings that are not there for a moment stay in the list of keys; they just do nothing. */
  readonly enabled?: boolean;
  /** A held key does it again and again, as moving through rows does. Anything else is done once a press. */
  readonly repeats?: boolean;
  /** It changes something: it acts only while the focus is in the pane of what it changes (`data-acts-in`). */
  readonly acts?: boolean;
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

/** Sends the form that has the focus. */
export const SENDING = "mod+enter";
