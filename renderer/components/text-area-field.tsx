import { Textarea } from "@mantine/core";
import { common, type TextProps } from "./fields.tsx";

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
