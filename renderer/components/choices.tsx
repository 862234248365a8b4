import type { ReactNode } from "react";
import { takesFocusOver } from "./fields.tsx";

interface ChoiceProps {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly disabled?: boolean;
}

const Words = ({ label, hint }: { label: ReactNode; hint?: ReactNode }) => (
  <span>
    {label}
    {hint && <small>{hint}</small>}
  </span>
);

/** A checkbox; `some` shows that only part of what it stands for is chosen. */
export const CheckField = ({
  label,
  hint,
  checked,
  onChange,
  disabled = false,
  some = false,
}: ChoiceProps & { some?: boolean }) => (
  <label className="choice">
    <input
      ref={(box) => {
        if (box) box.indeterminate = some && !checked;
      }}
      className="ck-in"
      type="checkbox"
      checked={checked}
      disabled={disabled}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
    <Words label={label} hint={hint} />
  </label>
);

/** Takes effect at once; for something that is sent later use a checkbox. */
export const SwitchField = ({ label, checked, onChange }: Pick<ChoiceProps, "label" | "checked" | "onChange">) => (
  <label className="choice">
    <input
      className="sw-in"
      type="checkbox"
      role="switch"
      aria-checked={checked}
      checked={checked}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
    <Words label={label} />
  </label>
);

/** One of a few, each explained. */
export const RadioField = <V extends string>({
  label,
  name,
  options,
  value,
  onChange,
  inline = false,
  autoFocus = false,
}: {
  label: ReactNode;
  name: string;
  options: ReadonlyArray<{ value: V; label: ReactNode; hint?: ReactNode }>;
  value: V | null;
  onChange: (value: V) => void;
  inline?: boolean;
  /** The one that is chosen has the focus when it comes. */
  autoFocus?: boolean;
}) => (
  <fieldset className="fieldset">
    <legend className="field-label">{label}</legend>
    <div className={inline ? "row row-3 wrap" : "col radio-col"}>
      {options.map((option) => (
        <label key={option.value} className="choice">
          <input
            className="rd-in"
            type="radio"
            name={name}
            checked={option.value === value}
            ref={autoFocus && option.value === value ? takesFocusOver : null}
            onChange={() => onChange(option.value)}
          />
          <Words label={option.label} hint={option.hint} />
        </label>
      ))}
    </div>
  </fieldset>
);
