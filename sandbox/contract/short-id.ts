/** Shortens in the middle, keeping enough to recognise it: "ad2daf65-…-9340" → ["ad2daf", "9340"]; null when short already. */
export const shortened = (id: string, head = 6, tail = 4): readonly [string, string] | null =>
  id.length <= head + tail + 3 ? null : [id.slice(0, head), id.slice(-tail)];

/** The same as one text: "ad2daf…9340". Both ends, for IDs that were given out in one minute begin alike. */
export const shortId = (id: string): string => shortened(id)?.join("…") ?? id;
