import { type RefObject, useEffect, useEffectEvent } from "react";
import type { AccessScope } from "../../sandbox/contract/access.ts";
import { addKeys, type KeyBinding, SENDING } from "../lib/key-bindings.ts";
import { hasScope } from "../lib/world-access.ts";

/**
 * Binds keys while the component is mounted, and lists them under `title` in the list of keys (`?`). Later bindings
 * win. Handlers may change with every render; the keys may not.
 */
export const useKeys = (title: string, bindings: readonly KeyBinding[]): void => {
  const run = useEffectEvent((index: number, event: KeyboardEvent) => bindings[index]?.run(event));
  const when = useEffectEvent((index: number, event: KeyboardEvent) => bindings[index]?.when?.(event) ?? true);
  const shape = bindings
    .map((binding) => `${binding.keys.join(",")}:${binding.label}:${binding.enabled !== false}`)
    .join("|");
  // biome-ignore lint/correctness/useExhaustiveDependencies: `shape` represents the bindings, whose handlers are read when they run
  useEffect(
    () =>
      addKeys({
        title,
        bindings: bindings.map((binding, index) => ({
          ...binding,
          enabled: binding.enabled !== false && hasScope(binding.needs ?? (binding.acts ? "act" : "view")),
          run: (event) => run(index, event),
          when: (event) => when(index, event),
        })),
      }),
    [title, shape],
  );
};

const TYPED_INTO = "input, textarea, select, [contenteditable=true], [role=dialog]";
/** Elements with their own Ctrl or Cmd with Enter: a link opens in a new tab. */
const OWN_ENTER = `${TYPED_INTO}, a`;

/** The region in which a sending key acts: the whole dialog, if there is one. */
const heldBy = (form: RefObject<HTMLElement | null>) => form.current?.closest("[role=dialog]") ?? form.current;

/**
 * Ctrl or Cmd with Enter sends the form that has focus, from any of its fields; in a dialog, the dialog's form.
 * With `acts`, it also sends from elsewhere in the form's pane, except from text fields. With `alone`, it sends from
 * anywhere in the place.
 */
export const useSendKey = (
  form: RefObject<HTMLElement | null>,
  title: string,
  {
    run,
    alone = false,
    needs = "act",
    ...binding
  }: Pick<KeyBinding, "label" | "enabled" | "acts"> & {
    readonly needs?: AccessScope | undefined;
    readonly run: () => void;
    readonly alone?: boolean;
  },
): void => {
  useKeys(title, [
    {
      ...binding,
      needs,
      keys: [SENDING],
      run,
      when: ({ target }) => {
        if (!(target instanceof Element)) return false;
        if (alone && !target.closest(TYPED_INTO)) return true;
        if (binding.acts && !target.closest(OWN_ENTER)) return true;
        return heldBy(form)?.contains(target) === true;
      },
    },
  ]);
};
