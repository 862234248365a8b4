import { TextInput } from "@mantine/core";
import { common, type FieldProps } from "./fields.tsx";

/** A number, whole unless `decimal`; an empty field is null. */
export const NumberField = ({
  value,
  onChange,
  decimal = false,
  ...field
}: FieldProps & {
  value: number | null;
  onChange: (value: number | null) => void;
  decimal?: boolean;
}) => (
  <TextInput
    {...common(field)}
    type="number"
    step={decimal ? "any" : 1}
    value={value ?? ""}
    onChange={({ currentTarget: { valueAsNumber: typed } }) => {
      if (Number.isNaN(typed)) onChange(null);
      else onChange(decimal ? typed : Math.trunc(typed));
    }}
  />
);
