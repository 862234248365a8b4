import { Textarea } from "@mantine/core";
import { common, type TextProps } from "./fields.tsx";

export const TextAreaField = ({
  value,
  onChange,
  mono = false,
  rows = 4,
  readOnly = false,
  ...field
}: TextProps & { rows?: number; readOnly?: boolean }) => (
  <Textarea
    {...common(field)}
    value={value}
    onChange={(event) => onChange(event.currentTarget.value)}
    rows={rows}
    readOnly={readOnly}
    spellCheck={false}
    className={mono ? "is-mono" : ""}
  />
);
