/** A rectangle in display pixels, like Electron's `Rectangle`. */
export interface Bounds {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Fits a 1280×800 display at 125 %, and many projectors. */
export const minimumSize = { width: 1024, height: 640 } as const;
const preferredSize = { width: 1440, height: 900 } as const;

/** Part of a window's top edge that must be on a display to move the window. */
const reachable = { width: 160, height: 32 } as const;

/** Offset of a further window, in pixels. */
const step = 28;

/**
 * Returns a new window's bounds: `remembered` if its top edge is reachable on one of `workAreas` (displays change),
 * otherwise centred on the first, which is the primary display.
 */
export function windowBounds(remembered: Bounds | null, workAreas: readonly [Bounds, ...Bounds[]]): Bounds {
  const home = remembered && workAreas.find((area) => isReachable(remembered, area));
  return remembered && home ? fitToDisplay(remembered, home) : centred(workAreas[0]);
}

/** Offsets a window's bounds, so that both windows are visible. */
export const offsetBounds = (other: Bounds): Bounds => ({ ...other, x: other.x + step, y: other.y + step });

function isReachable(window: Bounds, area: Bounds): boolean {
  const shared = Math.min(window.x + window.width, area.x + area.width) - Math.max(window.x, area.x);
  return shared >= reachable.width && window.y >= area.y && window.y <= area.y + area.height - reachable.height;
}

/** Limits a window to the display, but not below the explorer's minimum size. */
function fitToDisplay(window: Bounds, area: Bounds): Bounds {
  return { x: window.x, y: window.y, ...size(window, area) };
}

function centred(area: Bounds): Bounds {
  const { width, height } = size(preferredSize, area);
  return {
    x: Math.max(area.x, area.x + Math.round((area.width - width) / 2)),
    y: Math.max(area.y, area.y + Math.round((area.height - height) / 2)),
    width,
    height,
  };
}

function size(wanted: Pick<Bounds, "width" | "height">, area: Bounds): Pick<Bounds, "width" | "height"> {
  return {
    width: Math.max(minimumSize.width, Math.min(wanted.width, area.width)),
    height: Math.max(minimumSize.height, Math.min(wanted.height, area.height)),
  };
}
