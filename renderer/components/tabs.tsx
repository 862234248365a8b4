import { Tabs as LibraryTabs, SegmentedControl } from "@mantine/core";
import { type ReactNode, useEffect, useRef } from "react";
import { opensAt } from "../lib/focus.ts";
import { formatCount, plural } from "../lib/formatting.ts";

export interface Tab<V extends string> {
  readonly value: V;
  readonly label: ReactNode;
  readonly count?: number | undefined;
  /** One of what is counted: "offer". */
  readonly noun?: string;
}

interface ChoiceProps<V extends string> {
  readonly label: string;
  readonly value: V;
  readonly onChange: (value: V) => void;
}

/** The library speaks of any string; what is chosen is always one of those offered. */
const oneOf =
  <V extends string>(offered: ReadonlyArray<{ readonly value: V }>, onChange: (value: V) => void) =>
  (next: string | null) => {
    const found = offered.find(({ value }) => value === next);
    if (found) onChange(found.value);
  };

/** Tabs of a detail; the panel is the children. A tab with its own address navigates in `onChange`. */
export const Tabs = <V extends string>({
  label,
  tabs,
  value,
  onChange,
  children,
}: ChoiceProps<V> & {
  tabs: readonly Tab<V>[];
  children?: ReactNode;
}) => {
  const box = useRef<HTMLDivElement>(null);
  const first = useRef(value);
  useEffect(() => {
    // What had the focus may have gone with the panel.
    if (first.current !== value) opensAt(box.current?.querySelector<HTMLElement>("[aria-selected=true]") ?? null);
    first.current = value;
  }, [value]);
  return (
    <LibraryTabs value={value} onChange={oneOf(tabs, onChange)} keepMounted={false}>
      <LibraryTabs.List ref={box} aria-label={label}>
        {tabs.map((tab) => (
          <LibraryTabs.Tab key={tab.value} value={tab.value}>
            {tab.label}
            {tab.count !== undefined && (
              <>
                <span className="n" aria-hidden="true">
                  {tab.count}
                </span>
                <span className="sr">{tab.noun ? plural(tab.count, tab.noun) : tab.count}</span>
              </>
            )}
          </LibraryTabs.Tab>
        ))}
      </LibraryTabs.List>
      <LibraryTabs.Panel value={value} className="tab-panel" tabIndex={-1}>
        {children}
      </LibraryTabs.Panel>
    </LibraryTabs>
  );
};

/** One of a few, all visible: a view of the same thing, with how much there is in it where there is any. */
export const Segmented = <V extends string>({
  label,
  options,
  value,
  onChange,
}: ChoiceProps<V> & { options: readonly Pick<Tab<V>, "value" | "label" | "count">[] }) => (
  <SegmentedControl
    aria-label={label}
    data={options.map((option) => ({
      value: option.value,
      label: (
        <>
          {option.label}
          {option.count ? <span className="n">{formatCount(option.count)}</span> : null}
        </>
      ),
    }))}
    value={value}
    onChange={oneOf(options, onChange)}
  />
);
