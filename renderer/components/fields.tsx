import { TextInput } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import type { FocusEvent, ReactNode } from "react";
import { Icon } from "./icon.tsx";

export interface FieldProps {
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

/** A field that comes late into a dialog has the focus that what was there before has or had; elsewhere it has it at once. */
export const takesFocusOver = (field: HTMLElement | null): void => {
  const dialog = field?.closest("[role=dialog]");
  const { activeElement, body } = document;
  if (!dialog || activeElement === body || dialog.contains(activeElement)) field?.focus();
};

/** What the library's inputs have in common. */
export const common = ({
  label,
  hint,
  error,
  disabled = false,
  required = false,
  placeholder = "",
  autoFocus = false,
}: FieldProps) => ({
  label,
  description: hint,
  error: error && (
    <>
      <Icon of={IconAlertTriangle} size={14} />
      <span>{error}</span>
    </>
  ),
  disabled,
  required,
  placeholder,
  ...(autoFocus ? { "data-autofocus": true, ref: takesFocusOver } : {}),
});

export interface TextProps extends FieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** For identifiers, URLs, chassis numbers. */
  readonly mono?: boolean;
  readonly maxLength?: number;
  /** What is in it was not typed: typing takes its place. */
  readonly isSuggestion?: boolean;
}

export const TextField = ({ value, onChange, mono = false, maxLength, isSuggestion = false, ...field }: TextProps) => (
  <TextInput
    {...common(field)}
    value={value}
    onChange={(event) => onChange(event.currentTarget.value)}
    spellCheck={false}
    autoComplete="off"
    className={mono ? "is-mono" : ""}
    {...(isSuggestion ? { onFocus: (event: FocusEvent<HTMLInputElement>) => event.target.select() } : {})}
    {...(maxLength ? { maxLength } : {})}
  />
);
