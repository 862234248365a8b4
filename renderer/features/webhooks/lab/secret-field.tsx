import { PasswordInput } from "@mantine/core";

/** A secret while it is typed: masked until it is asked for. */
export const SecretField = ({ value, onChange }: { value: string; onChange: (value: string) => void }) => (
  <PasswordInput
    label="Secret"
    size="sm"
    value={value}
    onChange={(event) => onChange(event.currentTarget.value)}
    placeholder="pwh_…"
    autoComplete="off"
    spellCheck={false}
    visibilityToggleButtonProps={{ "aria-label": "Show the secret", tabIndex: 0 }}
    classNames={{ root: "field is-mono", label: "field-label", input: "field-input" }}
  />
);
