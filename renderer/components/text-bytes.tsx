import { useState } from "react";
import { type ByteRange, textFromBytes } from "../lib/bytes.ts";
import { formatBytes } from "../lib/formatting.ts";

/** More than this is laid out only when asked for: the window stays quick with any body. */
const MOST_BYTES = 65_536;

/** The first bytes of a text, cut between two characters. */
const firstOf = (bytes: Uint8Array, most: number): Uint8Array => {
  let end = most;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.subarray(0, end);
};

/** Cuts the bytes at the marks, so that marked text keeps its place even after multi-byte characters. */
const pieces = (bytes: Uint8Array, marks: readonly ByteRange[]) => {
  const cuts = [...new Set([0, bytes.length, ...marks.flatMap(({ start, end }) => [start, end])])]
    .filter((at) => at <= bytes.length)
    .sort((a, b) => a - b);
  return cuts.slice(0, -1).map((start, index) => {
    const end = cuts[index + 1] ?? bytes.length;
    return {
      start,
      text: textFromBytes(bytes.subarray(start, end)),
      hit: marks.some((mark) => start >= mark.start && end <= mark.end),
    };
  });
};

/** The bytes as the text they are, exactly as sent: nothing re-serialised, long lines wrapped. */
export const TextBytes = ({
  bytes,
  label,
  marks = [],
}: {
  bytes: Uint8Array;
  label: string;
  marks?: readonly ByteRange[];
}) => {
  const [whole, setWhole] = useState(false);
  const shown = whole || bytes.length <= MOST_BYTES ? bytes : firstOf(bytes, MOST_BYTES);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section className="code wrapped" aria-label={`${label}, ${bytes.length} bytes as text`} tabIndex={0}>
      {bytes.length === 0 && <span className="x">no bytes</span>}
      {pieces(shown, marks).map((piece) => (
        <span key={piece.start} className={piece.hit ? "hit" : undefined}>
          {piece.text}
        </span>
      ))}
      {shown.length < bytes.length && (
        <button type="button" className="lnk ln" onClick={() => setWhole(true)}>
          Show all {formatBytes(bytes.length)}
        </button>
      )}
    </section>
  );
};
