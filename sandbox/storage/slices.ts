/** So long is worked in one go; between two of them others are served. */
export const SLICE_MS = 8;

/** Lets others be served. @returns until when may be worked then, by `performance.now()` */
export const breathe = async (): Promise<number> => {
  await new Promise((resolve) => setImmediate(resolve));
  return performance.now() + SLICE_MS;
};
