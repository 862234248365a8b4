/** A number as it is written. As a value it would lose what a program's numbers do not hold: `0.0`, `1e400`, 20 digits. */
export class NumberText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What a text says as JSON; undefined where it is none. */
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

/** What a text says as JSON, each number as it is written there; undefined where it is none. */
export const writtenJson = (text: string): unknown => {
  try {
    return JSON.parse(text, asWritten);
  } catch {
    return undefined;
  }
};
