import type { KeyboardEvent, PointerEvent } from "react";

/** Where a key moves a separator, or null when the key is none that moves it. */
export const movedByKey = (key: string, value: number, least: number, most: number): number | null => {
  const wanted: Record<string, number> = {
    ArrowUp: value + 16,
    ArrowRight: value + 16,
    ArrowDown: value - 16,
    ArrowLeft: value - 16,
    PageUp: value + 96,
    PageDown: value - 96,
    Home: least,
    End: most,
  };
  return wanted[key] ?? null;
};

/**
 * The edge of a part that can be made larger: dragged, moved by keys, put back to the usual size by a double click. It is
 * the right edge of what begins at its parent's left, or the upper edge of what ends at its parent's bottom.
 */
export const Separator = ({
  edge,
  label,
  value,
  least,
  most,
  onMove,
  onReset,
}: {
  edge: "right" | "top";
  /** "Width of Jobs". */
  label: string;
  /** In pixels, as the limits. */
  value: number;
  least: number;
  most: number;
  /** Told where it was moved; what is beyond the limits is the caller's to cut. */
  onMove: (value: number) => void;
  onReset: () => void;
}) => {
  const drag = ({ currentTarget, pointerId, clientX, clientY }: PointerEvent<HTMLDivElement>) => {
    const around = currentTarget.parentElement?.getBoundingClientRect();
    if (around && currentTarget.hasPointerCapture(pointerId))
      onMove(edge === "right" ? clientX - around.left : around.bottom - clientY);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const to = movedByKey(event.key, value, least, most);
    if (to === null) return;
    event.preventDefault();
    onMove(to);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a separator that moves is a widget; hr cannot be one
    <div
      className="separator"
      role="separator"
      aria-orientation={edge === "right" ? "vertical" : "horizontal"}
      aria-label={label}
      tabIndex={0}
      aria-valuenow={value}
      aria-valuemin={least}
      aria-valuemax={most}
      style={edge === "right" ? { left: value - 3 } : undefined}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
      onKeyDown={onKeyDown}
      onDoubleClick={onReset}
    />
  );
};
