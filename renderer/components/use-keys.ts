import { type RefObject, useEffect, useEffectEvent } from "react";
import { addKeys, isTyping, type KeyBinding } from "../lib/key-registry.ts";

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

const SENDS = "data-sends";
const topDialog = () => [...document.querySelectorAll("[role=dialog][aria-modal=true]")].at(-1);

/** Whether the keys pressed at `target` mean this form: its own do, others only where no field, form or dialog has them. */
const isMeant = (form: Element, target: EventTarget | null): boolean => {
  if (topDialog()?.contains(form) === false) return false;
  if (!(target instanceof Element) || form.contains(target)) return true;
  return !isTyping(target) && target.closest(`form, [${SENDS}]`) === null;
};

/**
 * Ctrl or Cmd with Enter sends the form that has the focus, and no other; where none has it, the one in sight, unless
 * that says `fromAnywhere: false`. A search field beside a form sends nothing.
 */
export const useSendKey = (
  form: RefObject<HTMLElement | null>,
  title: string,
  {
    fromAnywhere = true,
    ...binding
  }: Pick<KeyBinding, "label" | "run" | "enabled"> & { readonly fromAnywhere?: boolean },
): void => {
  useEffect(() => form.current?.setAttribute(SENDS, ""), [form]);
  useKeys(title, [
    {
      ...binding,
      keys: ["mod+enter"],
      when: ({ target }) => {
        const { current } = form;
        if (current === null) return false;
        return fromAnywhere ? isMeant(current, target) : target instanceof Element && current.contains(target);
      },
    },
  ]);
};
