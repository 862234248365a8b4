/** JSON whose texts may name saved values: `{base}/__webhooks/sink`. */
export type Value = string | number | null | readonly Value[] | { readonly [name: string]: Value };
export type Body = { readonly [name: string]: Value };

export interface Call {
  /** Function of an earlier step; `post` sends no credentials. */
  readonly by: string;
  /** Operation of the control plane, or path without its first slash. */
  readonly path: string;
  readonly body: Body;
}

/** A field of a response, or of an item of its list. */
export interface Field {
  readonly name: string;
  /** Default: `items`. */
  readonly list?: string;
  /** `first`, or the first item whose field has this value. */
  readonly item?: "first" | readonly [field: string, value: string];
}

/** Step of a guide, which each language writes in its own way. */
export type Step =
  /** Reads the ready line, and defines `post` and `control`. */
  | { readonly kind: "open" }
  /** Defines a function that calls with a key. */
  | { readonly kind: "caller"; readonly name: string; readonly key: string; readonly integration: string }
  | { readonly kind: "save"; readonly name: string; readonly field: Field; readonly call: Call }
  | { readonly kind: "saveAll"; readonly fields: Readonly<Record<string, string>>; readonly call: Call }
  | { readonly kind: "print"; readonly call: Call; readonly field?: string }
  /** Prints a line for each item, such as `{type}: {name}`. */
  | { readonly kind: "printEach"; readonly call: Call; readonly line: string }
  | { readonly kind: "say"; readonly text: string }
  | { readonly kind: "wait"; readonly seconds: number };

/** Steps of one block of a page. */
export type Block = readonly Step[];

/** How a language writes a guide's steps. */
export interface Language {
  readonly label: string;
  /** Language of the code block. */
  readonly name: string;
  readonly write: (step: Step) => string;
}

/** A part of a text: written as it is, or the name of a saved value. */
export type Part = { readonly text: string } | { readonly saved: string };

export const parts = (text: string): Part[] =>
  text
    .split(/\{(\w+)\}/)
    .map((part, index): Part => (index % 2 === 0 ? { text: part } : { saved: part }))
    .filter((part) => !("text" in part) || part.text !== "");

/** Writes each part of a text. */
export const writeParts = (text: string, plain: (text: string) => string, saved: (name: string) => string): string =>
  parts(text)
    .map((part) => ("text" in part ? plain(part.text) : saved(part.saved)))
    .join("");
