import { create } from "zustand";
import type { AccessScope } from "../../sandbox/contract/access.ts";

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
  /** The minimum token scope, as of the action's button. Defaults to `act` with `acts`, otherwise to `view`. */
  readonly needs?: AccessScope;
}
export interface KeyGroup {
  readonly title: string;
  readonly bindings: readonly KeyBinding[];
}

/** All current bindings, the latest last. */
export const useKeyGroups = create((): readonly KeyGroup[] => []);

export const keyGroups = useKeyGroups.getState;

/** Adds bindings; the latest wins. Returns a function that removes them. */
export const addKeys = (group: KeyGroup): (() => void) => {
  useKeyGroups.setState((groups) => [...groups, group], true);
  return () => useKeyGroups.setState((groups) => groups.filter((other) => other !== group), true);
};

/** Sends the form that has focus. */
export const SENDING = "mod+enter";
