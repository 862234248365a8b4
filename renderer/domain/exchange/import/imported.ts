/** Something of an imported text that is not in the call, and why. */
export interface LeftOut {
  /** As it stands in the text. */
  readonly what: string;
  readonly why: string;
}

/** A call as a text describes it. Nothing of it was run, fetched or read from a file. */
export interface ImportedCall {
  /** What the text calls it; empty where it has no name. */
  readonly name: string;
  readonly method: string;
  /** As it stands in the text: mostly absolute. */
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
  readonly leftOut: readonly LeftOut[];
  /** What it was answered then, where the text says so. */
  readonly answered?: { readonly status: number; readonly body: string };
}

/** What a text was read as; without calls where there is none in it. */
export interface Imported {
  readonly format: "cURL" | "HAR";
  readonly calls: readonly ImportedCall[];
  /** Of the text as a whole, not of one call. */
  readonly leftOut: readonly LeftOut[];
}
