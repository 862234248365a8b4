/** A rectangle in the display's own pixels, as Electron's `Rectangle`. */
export interface Bounds {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** What a display of 1280×800 shows at 125 %, and many projectors. */
export const minimumSize = { width: 1024, height: 640 } as const;
const preferredSize = { width: 1440, height: 900 } as const;

/** How much of a window's top edge has to be on a display, so that a hand can reach and move it. */
const reachable = { width: 160, height: 32 } as const;

/** How far a further window lies from the one it was opened from. */
const step = 28;

/**
 * Where the window opens. `remembered` holds if its top edge can still be reached on one of `workAreas` (a display may
 * be gone since, or smaller); otherwise the window is centred on the first, which is the primary display.
 */
export function windowBounds(remembered: Bounds | null, workAreas: readonly [Bounds, ...Bounds[]]): Bounds {
  const home = remembered && workAreas.find((area) => isReachable(remembered, area));
  return remembered && home ? fitted(remembered, home) : centred(workAreas[0]);
}

/** Where a further window opens: a little beside `other`, so that both can be seen. */
export const beside = (other: Bounds): Bounds => ({ ...other, x: other.x + step, y: other.y + step });

function isReachable(window: Bounds, area: Bounds): boolean {
  const shared = Math.min(window.x + window.width, area.x + area.width) - Math.max(window.x, area.x);
  return shared >= reachable.width && window.y >= area.y && window.y <= area.y + area.height - reachable.height;
}

/** Never larger than the display, and never smaller than the explorer needs: on a tiny display it is larger after all. */
function fitted(window: Bounds, area: Bounds): Bounds {
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
