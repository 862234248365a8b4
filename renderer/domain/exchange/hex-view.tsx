import { useVirtualizer } from "@tanstack/react-virtual";
import { memo, type ReactNode, useRef } from "react";
import { type ByteRange, byteToGlyph, byteToHex, cutAtMarks } from "../../lib/bytes.ts";

const PER_ROW = 16;
const none: readonly ByteRange[] = [];

/** Exact bytes, sixteen per row, with their printable characters; only visible rows are drawn. */
export const HexView = ({
  bytes,
  label,
  marks = none,
}: {
  bytes: Uint8Array;
  label: string;
  marks?: readonly ByteRange[];
}) => {
  const box = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: Math.ceil(bytes.length / PER_ROW),
    getScrollElement: () => box.current,
    estimateSize: () => 18,
    overscan: 20,
  });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section ref={box} className="hex" aria-label={`${label}, ${bytes.length} bytes in hex`} tabIndex={0}>
      <div className="hex-all" style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map((row) => (
          <HexRow key={row.key} bytes={bytes} start={row.index * PER_ROW} top={row.start} marks={marks} />
        ))}
      </div>
    </section>
  );
};

const HexRow = memo(
  ({ bytes, start, top, marks }: { bytes: Uint8Array; start: number; top: number; marks: readonly ByteRange[] }) => {
    const end = Math.min(start + PER_ROW, bytes.length);
    const pieces = cutAtMarks({ start, end }, marks);
    const gap = (offset: number) => (offset === start ? "" : offset === start + 8 ? "  " : " ");
    const draw = (textOf: (byte: number, offset: number) => string): ReactNode[] =>
      pieces.map((piece) => (
        <span key={piece.start} className={piece.isMarked ? "hit" : undefined}>
          {Array.from(bytes.subarray(piece.start, piece.end), (byte, at) => textOf(byte, piece.start + at)).join("")}
        </span>
      ));
    return (
      <div style={{ transform: `translateY(${top}px)` }}>
        <span className="o">{start.toString(16).padStart(4, "0")}</span>
        <span>{draw((byte, offset) => gap(offset) + byteToHex(byte))}</span>
        <span className="a" aria-hidden="true">
          {draw(byteToGlyph)}
        </span>
      </div>
    );
  },
);
HexRow.displayName = "HexRow";
