import { type RefObject, useState } from "react";
import { useLocation } from "wouter";
import { useKeys } from "../../../components/use-keys.ts";

interface Rows {
  readonly box: RefObject<HTMLElement | null>;
  readonly keys: readonly string[];
  readonly hrefAt: (index: number) => string | null;
  /** Brings a row into sight. */
  readonly reveal: (index: number) => void;
}

/** Walks through rows of which only some are drawn: one of them is in the tab order, and keys move to the others. */
export const useRowKeys = ({ box, keys, hrefAt, reveal }: Rows) => {
  const [active, setActive] = useState<string | null>(null);
  const [, navigate] = useLocation();
  const at = active === null ? -1 : keys.indexOf(active);
  const focus = (index: number) => {
    const key = keys[Math.min(keys.length - 1, Math.max(0, index))];
    if (key === undefined) return;
    setActive(key);
    reveal(keys.indexOf(key));
    const drawn = () => box.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`);
    const already = drawn();
    if (already) already.focus();
    else requestAnimationFrame(() => drawn()?.focus());
  };
  const nowhereElse = ({ target }: KeyboardEvent) =>
    target instanceof Node &&
    (box.current?.contains(target) === true || target === document.body || target === document.getElementById("place"));
  const isNoButton = (event: KeyboardEvent) =>
    nowhereElse(event) && !(event.target instanceof Element && event.target.closest("button") !== null);
  useKeys("Lists", [
    { keys: ["j"], label: "Next row", run: () => focus(at + 1) },
    { keys: ["k"], label: "Previous row", run: () => focus(at - 1) },
    { keys: ["down"], label: "Next row", when: nowhereElse, run: () => focus(at + 1) },
    { keys: ["up"], label: "Previous row", when: nowhereElse, run: () => focus(at - 1) },
    { keys: ["home"], label: "First row", when: nowhereElse, run: () => focus(0) },
    { keys: ["end"], label: "Last loaded row", when: nowhereElse, run: () => focus(keys.length - 1) },
    {
      keys: ["enter"],
      label: "Open the row",
      when: isNoButton,
      run: () => {
        const href = hrefAt(at);
        if (href !== null) navigate(href);
      },
    },
  ]);
  return { active, isReachable: (key: string, index: number) => (at < 0 ? index === 0 : key === active), setActive };
};
