/** What is left of the window for the place while the wire is as high as it goes, with the bars around both. */
const FOR_THE_REST = 200;

export const WIRE_LEAST = 120;
export const WIRE_USUAL = 280;

/** How high the wire can be in a window. */
export const wireMost = (windowHeight: number): number => Math.max(WIRE_LEAST, windowHeight - FOR_THE_REST);

export const wireWithin = (height: number, windowHeight: number): number =>
  Math.round(Math.min(wireMost(windowHeight), Math.max(WIRE_LEAST, height)));

/** The height a key asks for, or null when the key is none that moves it. */
export const heightByKey = (key: string, height: number, windowHeight: number): number | null => {
  const wanted: Record<string, number> = {
    ArrowUp: height + 16,
    ArrowDown: height - 16,
    PageUp: height + 96,
    PageDown: height - 96,
    Home: WIRE_LEAST,
    End: wireMost(windowHeight),
  };
  const to = wanted[key];
  return to === undefined ? null : wireWithin(to, windowHeight);
};
