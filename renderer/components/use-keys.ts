import { type RefObject, useEffect, useEffectEvent } from "react";
import { addKeys, type KeyBinding, SENDING } from "../lib/key-bindings.ts";

/**
 * Binds keys while the component is there and lists them under `title` in the list of keys (`?`).
 * Later bindings win over earlier ones. Handlers may change with every render; the keys may not.
 */
export const useKeys = (title: string, bindings: readonly KeyBinding[]): void => {
  const run = useEffectEvent((index: number, event: KeyboardEvent) => bindings[index]?.run(event));
  const when = useEffectEvent((index: number, event: KeyboardEvent) => bindings[index]?.when?.(event) ?? true);
  const shape = bindings
    .map((binding) => `${binding.keys.join(",")}:${binding.label}:${binding.enabled !== false}`)
    .join("|");
  // biome-ignore lint/correctness/useExhaustiveDependencies: `shape` stands for the bindings, whose handlers are read when they run
  useEffect(
    () =>
      addKeys({
        title,
        bindings: bindings.map((binding, index) => ({
          ...binding,
          run: (event) => run(index, event),
          when: (event) => when(index, event),
        })),
      }),
    [title, shape],
  );
};

const TYPED_INTO = "input, textarea, select, [contenteditable=true], [role=dialog]";
/** What takes Ctrl or Cmd with Enter itself: a link opens beside this window. */
const OWN_ENTER = `${TYPED_INTO}, a`;

/** What a sending key acts from: in a dialog all of it. */
const heldBy = (form: RefObject<HTMLElement | null>) => form.current?.closest("[role=dialog]") ?? form.current;

/**
 * Ctrl or Cmd with Enter sends the form that holds the focus, from any of its fields; in a dialog the dialog's form.
 * Anywhere else it sends nothing. Where its pane has one form to send (`acts`), it sends from wherever else in that pane
 * nothing can be typed, too; where a place is one form (`alone`), from anywhere in the place.
 */
export const useSendKey = (
  form: RefObject<HTMLElement | null>,
  title: string,
  {
    run,
    alone = false,
    ...binding
  }: Pick<KeyBinding, "label" | "enabled" | "acts"> & { readonly run: () => void; readonly alone?: boolean },
): void => {
  useKeys(title, [
    {
      ...binding,
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
