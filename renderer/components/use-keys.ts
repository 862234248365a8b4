import { useEffect, useRef } from "react";
import { addKeys, type KeyBinding } from "../lib/key-registry.ts";

/**
 * Binds keys while the component is there and lists them under `title` in the list of keys (`?`).
 * Later bindings win over earlier ones. Handlers may change with every render; the keys may not.
 */
export const useKeys = (title: string, bindings: readonly KeyBinding[]): void => {
  const latest = useRef(bindings);
  latest.current = bindings;
  const shape = bindings
    .map((binding) => `${binding.keys.join(",")}:${binding.label}:${binding.enabled !== false}`)
    .join("|");
  // biome-ignore lint/correctness/useExhaustiveDependencies: `shape` stands for the bindings, whose handlers are read when they run
  useEffect(
    () =>
      addKeys({
        title,
        bindings: latest.current.map((binding, index) => ({
          ...binding,
          run: (event) => latest.current[index]?.run(event),
          when: (event) => latest.current[index]?.when?.(event) ?? true,
        })),
      }),
    [title, shape],
  );
};
