import { NumberInput } from "@mantine/core";
import { common, type FieldProps } from "./fields.tsx";
import "@mantine/core/styles/NumberInput.layer.css";

/** A whole or decimal number; an empty field is null. */
export const NumberField = ({
  value,
  onChange,
  min,
  max,
  decimals = 0,
  ...field
}: FieldProps & {
  value: number | null;
  onChange: (value: number | null) => void;
  min?: number;
  max?: number;
  decimals?: number;
}) => (
  <NumberInput
    {...common(field)}
    value={value ?? ""}
    onChange={(next) => onChange(typeof next === "number" ? next : null)}
    decimalScale={decimals}
    hideControls
    clampBehavior="none"
    {...(min === undefined ? {} : { min })}
    {...(max === undefined ? {} : { max })}
  />
);
