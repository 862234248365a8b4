import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from "react";
import { opensAt } from "../lib/focus.ts";
import { formatCount, plural } from "../lib/formatting.ts";

export interface Tab<V extends string> {
  readonly value: V;
  readonly label: ReactNode;
  readonly count?: number | undefined;
  /** One of what is counted: "offer". */
  readonly noun?: string;
}

const step = (event: KeyboardEvent, index: number, count: number): number | null => {
  if (event.key === "ArrowRight" || event.key === "ArrowDown") return (index + 1) % count;
  if (event.key === "ArrowLeft" || event.key === "ArrowUp") return (index + count - 1) % count;
  if (event.key === "Home") return 0;
  return event.key === "End" ? count - 1 : null;
};

interface ChoiceProps<V extends string> {
  readonly label: string;
  readonly value: V;
  readonly onChange: (value: V) => void;
}

/** Moves the choice with the arrow keys and focuses it. */
const useRoving = <V extends string>(values: readonly V[], value: V, onChange: (value: V) => void) => {
  const box = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const to = step(event, values.indexOf(value), values.length);
    const next = to === null ? undefined : values[to];
    if (to === null || next === undefined) return;
    event.preventDefault();
    onChange(next);
    box.current?.querySelectorAll<HTMLElement>("button")[to]?.focus();
  };
  return { box, onKeyDown };
};

/** Tabs of a detail; the panel is the children. A tab with its own address navigates in `onChange`. */
export const Tabs = <V extends string>({
  label,
  tabs,
  value,
  onChange,
  children,
}: ChoiceProps<V> & { tabs: readonly Tab<V>[]; children?: ReactNode }) => {
  const id = useId();
  const { box, onKeyDown } = useRoving(
    tabs.map((tab) => tab.value),
    value,
    onChange,
  );
  const first = useRef(value);
  useEffect(() => {
    // What had the focus may have gone with the panel.
    if (first.current !== value) opensAt(box.current?.querySelector<HTMLElement>("[aria-selected=true]") ?? null);
    first.current = value;
  }, [box, value]);
  return (
    <>
      <div ref={box} className="row tabs" role="tablist" aria-label={label}>
        {tabs.map((tab) => (
          <button
            key={tab.value}
            type="button"
            role="tab"
            id={`${id}-${tab.value}`}
            aria-selected={tab.value === value}
            aria-controls={`${id}-panel`}
            tabIndex={tab.value === value ? 0 : -1}
            onClick={() => onChange(tab.value)}
            onKeyDown={onKeyDown}
          >
            {tab.label}
            {tab.count !== undefined && (
              <>
                <span className="n" aria-hidden="true">
                  {tab.count}
                </span>
                <span className="sr">{tab.noun ? plural(tab.count, tab.noun) : tab.count}</span>
              </>
            )}
          </button>
        ))}
      </div>
      <div
        className="col grow tab-panel"
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-${value}`}
        tabIndex={-1}
      >
        {children}
      </div>
    </>
  );
};

/** One of a few, all visible: a view of the same thing, with how much there is in it where there is any. */
export const Segmented = <V extends string>({
  label,
  options,
  value,
  onChange,
}: ChoiceProps<V> & { options: readonly Pick<Tab<V>, "value" | "label" | "count">[] }) => {
  const { box, onKeyDown } = useRoving(
    options.map((option) => option.value),
    value,
    onChange,
  );
  return (
    <div ref={box} className="seg" role="radiogroup" aria-label={label}>
      {options.map((option) => (
        // biome-ignore lint/a11y/useSemanticElements: a radio input cannot hold an icon and a count and be one flat control
        <button
          key={option.value}
          type="button"
          role="radio"
          aria-checked={option.value === value}
          tabIndex={option.value === value ? 0 : -1}
          onClick={() => onChange(option.value)}
          onKeyDown={onKeyDown}
        >
          {option.label}
          {option.count ? <span className="n">{formatCount(option.count)}</span> : null}
        </button>
      ))}
    </div>
  );
};
