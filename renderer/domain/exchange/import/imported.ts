/** A call parsed from a text. Nothing was run, fetched or read from a file. */
export interface ImportedCall {
  readonly method: string;
  /** As written in the text, usually absolute. */
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
  /** Parts of the text that the call lacks, as written. */
  readonly leftOut: readonly string[];
}

/** The recognized format; `calls` is empty when the text contains none. */
export interface Imported {
  readonly format: "cURL" | "HAR";
  readonly calls: readonly ImportedCall[];
  /** Parts of the text as a whole, not of one call. */
  readonly leftOut: readonly string[];
}
