import { NumberInput, Select, Textarea, TextInput } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Icon } from "./icon.tsx";

interface FieldProps {
  /** The field's name as the contract writes it, or a person's word for it. */
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  /** What is wrong with it, as a sentence; null or undefined when nothing is. */
  readonly error?: string | null | undefined;
  readonly disabled?: boolean;
  readonly required?: boolean;
  readonly placeholder?: string;
  readonly autoFocus?: boolean;
}

const classes = {
  root: "field",
  label: "field-label",
  description: "field-hint",
  error: "field-error",
  input: "field-input",
};

const common = ({ label, hint, error, disabled, required, placeholder, autoFocus }: FieldProps) => ({
  label,
  classNames: classes,
  withAsterisk: false,
  ...(hint ? { description: hint } : {}),
  ...(error
    ? {
        error: (
          <>
            <Icon of={IconAlertTriangle} size={14} />
            <span>{error}</span>
          </>
        ),
      }
    : {}),
  ...(disabled ? { disabled } : {}),
  ...(required ? { required } : {}),
  ...(placeholder ? { placeholder } : {}),
  ...(autoFocus ? { "data-autofocus": true } : {}),
});

interface TextProps extends FieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** For identifiers, URLs, chassis numbers. */
  readonly mono?: boolean;
  readonly maxLength?: number;
}

export const TextField = ({ value, onChange, mono = false, maxLength, ...field }: TextProps) => (
  <TextInput
    {...common(field)}
    value={value}
    onChange={(event) => onChange(event.currentTarget.value)}
    spellCheck={false}
    autoComplete="off"
    className={mono ? "is-mono" : ""}
    {...(maxLength ? { maxLength } : {})}
  />
);

export const TextAreaField = ({ value, onChange, mono = false, rows = 4, ...field }: TextProps & { rows?: number }) => (
  <Textarea
    {...common(field)}
    value={value}
    onChange={(event) => onChange(event.currentTarget.value)}
    rows={rows}
    spellCheck={false}
    className={mono ? "is-mono" : ""}
  />
);

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
