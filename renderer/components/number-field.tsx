import { NumberInput } from "@mantine/core";
import { common, type FieldProps } from "./fields.tsx";

/** A whole or decimal number; an empty field is null. */
export const NumberField = ({
  value,
  onChange,
  decimals = 0,
  ...field
}: FieldProps & {
  value: number | null;
  onChange: (value: number | null) => void;
  decimals?: number;
}) => (
  <NumberInput
    {...common(field)}
    value={value ?? ""}
    onChange={(next) => onChange(typeof next === "number" ? next : null)}
    decimalScale={decimals}
    hideControls
    clampBehavior="none"
  />
);
