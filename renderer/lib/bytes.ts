import { parsedJson } from "./parsed-json.ts";

/** A range of bytes in the hex and text views. */
export interface ByteRange {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

export const bytesFromBase64 = (base64: string): Uint8Array => Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
export const bytesFromText = (text: string): Uint8Array => new TextEncoder().encode(text);
export const textFromBytes = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** Parses bytes as JSON; undefined if they are none. */
export const parseJsonBytes = (bytes: Uint8Array): unknown => parsedJson(textFromBytes(bytes));

export const byteToHex = (byte: number): string => byte.toString(16).padStart(2, "0");
/** Returns printable ASCII, or a dot. */
export const byteToGlyph = (byte: number): string => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : ".");

interface MarkedRange extends ByteRange {
  readonly isMarked: boolean;
}

/** Splits a range at the edges of the marks, so that each piece is marked completely or not at all. */
export const cutAtMarks = ({ start, end }: ByteRange, marks: readonly ByteRange[]): MarkedRange[] => {
  const within = marks.flatMap((mark) => [mark.start, mark.end]).filter((at) => at > start && at < end);
  const cuts = [...new Set([start, ...within, end])].sort((a, b) => a - b);
  return cuts.slice(0, -1).map((from, index) => {
    const to = cuts[index + 1] ?? end;
    return { start: from, end: to, isMarked: marks.some((mark) => from >= mark.start && to <= mark.end) };
  });
};
