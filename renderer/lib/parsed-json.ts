/** A number in its literal form. A JavaScript number would lose `0.0`, `1e400` or 20 digits. */
export class NumberText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Parses JSON; undefined for invalid text. */
export const parsedJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const asWritten = (_key: string, value: unknown, context?: { readonly source?: string }): unknown =>
  typeof value === "number" && context?.source !== undefined && context.source !== String(value)
    ? new NumberText(context.source)
    : value;

/** Parses JSON with literal numbers; undefined for invalid text. */
export const writtenJson = (text: string): unknown => {
  try {
    return JSON.parse(text, asWritten);
  } catch {
    return undefined;
  }
};
