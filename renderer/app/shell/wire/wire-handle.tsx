import { useViewportSize } from "@mantine/hooks";
import type { KeyboardEvent, PointerEvent } from "react";
import { useUi } from "../../ui-store.ts";
import { heightByKey, WIRE_LEAST, WIRE_USUAL, wireMost, wireWithin } from "./wire-height.ts";

/** The upper edge of the open wire: dragged, or moved by keys. */
export const WireHandle = () => {
  const height = useUi((state) => state.wireHeight);
  const setHeight = useUi((state) => state.setWireHeight);
  const windowHeight = useViewportSize().height || window.innerHeight;
  const drag = (event: PointerEvent<HTMLDivElement>) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const bottom = event.currentTarget.parentElement?.getBoundingClientRect().bottom ?? windowHeight;
    setHeight(wireWithin(bottom - event.clientY, windowHeight));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const to = heightByKey(event.key, height, windowHeight);
    if (to === null) return;
    event.preventDefault();
    setHeight(to);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a separator that moves is a widget; hr cannot be one
    <div
      className="wire-handle"
      role="separator"
      aria-orientation="horizontal"
      aria-label="Height of the wire"
      tabIndex={0}
      aria-valuenow={wireWithin(height, windowHeight)}
      aria-valuemin={WIRE_LEAST}
      aria-valuemax={wireMost(windowHeight)}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
      onKeyDown={onKeyDown}
      onDoubleClick={() => setHeight(WIRE_USUAL)}
    />
  );
};
