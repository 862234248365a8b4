/** A call as a text describes it. Nothing of it was run, fetched or read from a file. */
export interface ImportedCall {
  readonly method: string;
  /** As it stands in the text: mostly absolute. */
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
  /** What of the text is not in the call, as it stands there. */
  readonly leftOut: readonly string[];
}

/** What a text was read as; without calls where there is none in it. */
export interface Imported {
  readonly format: "cURL" | "HAR";
  readonly calls: readonly ImportedCall[];
  /** Of the text as a whole, not of one call. */
  readonly leftOut: readonly string[];
}
