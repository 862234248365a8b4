import { Checkbox, Group, Radio, Stack, Switch } from "@mantine/core";
import type { ReactNode } from "react";
import { takesFocusOver } from "./fields.tsx";

interface ChoiceProps {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly disabled?: boolean;
}

/** A checkbox; `some` shows that only part of what it stands for is chosen. */
export const CheckField = ({ hint, onChange, some = false, ...rest }: ChoiceProps & { some?: boolean }) => (
  <Checkbox
    {...rest}
    description={hint}
    indeterminate={some && !rest.checked}
    onChange={(event) => onChange(event.currentTarget.checked)}
  />
);

/** Takes effect at once; for something that is sent later use a checkbox. */
export const SwitchField = ({ onChange, ...rest }: Pick<ChoiceProps, "label" | "checked" | "onChange">) => (
  <Switch {...rest} aria-checked={rest.checked} onChange={(event) => onChange(event.currentTarget.checked)} />
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
}) => {
  const radios = options.map((option) => (
    <Radio
      key={option.value}
      value={option.value}
      label={option.label}
      description={option.hint}
      ref={autoFocus && option.value === value ? takesFocusOver : null}
    />
  ));
  return (
    <Radio.Group
      label={label}
      name={name}
      value={value}
      onChange={(next) => onChange(options.find((option) => option.value === next)?.value ?? next)}
    >
      {inline ? (
        <Group gap="md" wrap="wrap">
          {radios}
        </Group>
      ) : (
        <Stack gap="sm">{radios}</Stack>
      )}
    </Radio.Group>
  );
};
