import { Select } from "@mantine/core";
import type { KeyboardEvent } from "react";
import { common, type FieldProps } from "./fields.tsx";

/**
 * Enter in an open list selects the marked option instead of sending the form. The library loses the mark when the list
 * opens.
 */
const chooseMarked = (event: KeyboardEvent<HTMLInputElement>) => {
  const { ariaExpanded } = event.currentTarget;
  if (event.key !== "Enter" || ariaExpanded !== "true") return;
  event.preventDefault();
  event.stopPropagation();
  const list = document.getElementById(event.currentTarget.getAttribute("aria-controls") ?? "");
  const marked = (by: string) => list?.querySelector<HTMLElement>(`[data-combobox-${by}]`);
  (marked("selected") ?? marked("active"))?.click();
};

/** A choice from a list; `clearable` allows none. Lists above eight can be searched: Enter takes the first match. */
export const SelectField = <V extends string>({
  value,
  onChange,
  options,
  clearable = false,
  ...field
}: FieldProps & {
  value: V | null;
  onChange: (value: V | null) => void;
  options: ReadonlyArray<{ value: V; label: string }>;
  clearable?: boolean;
}) => (
  <Select
    {...common(field)}
    data={[...options]}
    value={value}
    clearable={clearable}
    searchable={options.length > 8}
    selectFirstOptionOnChange
    openOnFocus={false}
    onKeyDownCapture={chooseMarked}
    allowDeselect={clearable}
    onChange={(next) => onChange(options.find((option) => option.value === next)?.value ?? null)}
    nothingFoundMessage="No matches"
  />
);
