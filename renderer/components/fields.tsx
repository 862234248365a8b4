import { TextInput } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import type { FocusEvent, ReactNode } from "react";
import { Icon } from "./icon.tsx";

export interface FieldProps {
  /** The field's name in the contract, or a plain label. */
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  /** A sentence; null or undefined for a valid field. */
  readonly error?: string | null | undefined;
  readonly disabled?: boolean;
  readonly placeholder?: string;
  readonly autoFocus?: boolean;
}

/**
 * For a field that is added late to a dialog: takes focus if the content it replaces has or had it; elsewhere
 * immediately.
 */
const takeOverFocus = (field: HTMLElement | null): void => {
  const dialog = field?.closest("[role=dialog]");
  const { activeElement, body } = document;
  if (!dialog || activeElement === body || dialog.contains(activeElement)) field?.focus();
};

/** Props that the library's inputs share. */
export const common = ({ label, hint, error, disabled = false, placeholder = "", autoFocus = false }: FieldProps) => ({
  label,
  description: hint,
  error: error && (
    <>
      <Icon of={IconAlertTriangle} size={14} />
      <span>{error}</span>
    </>
  ),
  disabled,
  placeholder,
  ...(autoFocus ? { "data-autofocus": true, ref: takeOverFocus } : {}),
});

export interface TextProps extends FieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** For identifiers, URLs, chassis numbers. */
  readonly mono?: boolean;
  readonly maxLength?: number;
  /** The value is suggested: typing replaces it. */
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
