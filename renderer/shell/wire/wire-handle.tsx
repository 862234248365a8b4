import { useViewportSize } from "@mantine/hooks";
import type { KeyboardEvent, PointerEvent } from "react";
import { INITIAL_WIRE_HEIGHT, useUi } from "../../kernel/stores/ui-store.ts";

/** Height left for the place and the bars when the wire is at its maximum, in pixels. */
const RESERVED_HEIGHT = 200;

export const MIN_WIRE_HEIGHT = 120;

/** Returns the wire's maximum height in pixels. */
const maxWireHeight = (windowHeight: number): number => Math.max(MIN_WIRE_HEIGHT, windowHeight - RESERVED_HEIGHT);

export const wireWithin = (height: number, windowHeight: number): number =>
  Math.round(Math.min(maxWireHeight(windowHeight), Math.max(MIN_WIRE_HEIGHT, height)));

const moves: Readonly<Record<string, number>> = {
  ArrowUp: 16,
  ArrowDown: -16,
  PageUp: 96,
  PageDown: -96,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

/**
 * The upper edge of the open wire. The wire is a row of the window's grid, so the library's splitter doesn't fit. It
 * can be dragged or moved by keys; a double click resets it.
 */
export const WireHandle = () => {
  const height = useUi((state) => state.wireHeight);
  const windowHeight = useViewportSize().height || window.innerHeight;
  const value = wireWithin(height, windowHeight);
  const move = (to: number) => useUi.setState({ wireHeight: wireWithin(to, windowHeight) });
  const drag = ({ currentTarget, pointerId, clientY }: PointerEvent<HTMLDivElement>) => {
    const around = currentTarget.parentElement?.getBoundingClientRect();
    if (around && currentTarget.hasPointerCapture(pointerId)) move(around.bottom - clientY);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = moves[event.key];
    if (by === undefined) return;
    event.preventDefault();
    move(value + by);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a separator that moves is a widget; hr cannot be one
    <div
      className="wire-handle"
      role="separator"
      aria-orientation="horizontal"
      aria-label="Height of the wire"
      tabIndex={0}
      aria-valuenow={value}
      aria-valuemin={MIN_WIRE_HEIGHT}
      aria-valuemax={maxWireHeight(windowHeight)}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
      onKeyDown={onKeyDown}
      onDoubleClick={() => move(INITIAL_WIRE_HEIGHT)}
    />
  );
};
