/** Controls, what changes the direction of text, and what ends a line: a terminal acts on them instead of showing them. */
const NOT_SHOWN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** A text as a terminal shows it and never acts on it, in the escapes of JSON. */
export const terminalText = (text: string): string =>
  text.replace(NOT_SHOWN, (found) =>
    Array.from({ length: found.length }, (_, at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, "0")}`).join(
      "",
    ),
  );
