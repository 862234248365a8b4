import { PasswordInput } from "@mantine/core";
import "@mantine/core/styles/Input.layer.css";
import "@mantine/core/styles/PasswordInput.layer.css";

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
