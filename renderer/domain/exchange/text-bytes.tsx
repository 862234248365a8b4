import { useState } from "react";
import { type ByteRange, cutAtMarks, textFromBytes } from "../../lib/bytes.ts";
import { formatBytes } from "../../lib/formatting.ts";

/** Larger texts are drawn only on request, so that the window stays responsive; in bytes. */
const MAX_BYTES = 65_536;

/** The first bytes of a text, cut between two characters. */
const firstBytes = (bytes: Uint8Array, most: number): Uint8Array => {
  let end = most;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.subarray(0, end);
};

/** Bytes as text, exactly as sent: nothing re-serialized, long lines wrapped. */
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
  const shown = whole || bytes.length <= MAX_BYTES ? bytes : firstBytes(bytes, MAX_BYTES);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section className="code wrapped" aria-label={`${label}, ${bytes.length} bytes as text`} tabIndex={0}>
      {bytes.length === 0 && <span className="x">no bytes</span>}
      {cutAtMarks({ start: 0, end: shown.length }, marks).map(({ start, end, isMarked }) => (
        <span key={start} className={isMarked ? "hit" : undefined}>
          {textFromBytes(shown.subarray(start, end))}
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
