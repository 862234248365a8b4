/** Time and size limits of a place in the explorer until it is usable. */
export const EXPLORER_TARGETS = {
  /** Milliseconds from the start of the load, warm. */
  paint: 300,
  /** Kilobytes (1,000 bytes) of JavaScript, each file compressed with gzip. */
  script: 300,
} as const;
