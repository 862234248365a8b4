import { Select } from "@mantine/core";
import { common, type FieldProps } from "./fields.tsx";
import "@mantine/core/styles/CloseButton.layer.css";
import "@mantine/core/styles/ScrollArea.layer.css";
import "@mantine/core/styles/Combobox.layer.css";

/** One of a list; `clearable` allows none. Lists above eight can be searched. */
export const SelectField = <V extends string>({
  value,
  onChange,
  options,
  clearable = false,
  ...field
}: FieldProps & {
  value: V | null;
  onChange: (value: V | null) => void;
  options: ReadonlyArray<{ value: V; label: string; disabled?: boolean }>;
  clearable?: boolean;
}) => (
  <Select
    {...common(field)}
    data={[...options]}
    value={value}
    clearable={clearable}
    searchable={options.length > 8}
    allowDeselect={clearable}
    onChange={(next) => onChange(options.find((option) => option.value === next)?.value ?? null)}
    nothingFoundMessage="Nothing matches"
  />
);
