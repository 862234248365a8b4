import { useDeferredValue } from "react";

/** Returns false in the first render, so that it is visible sooner without its secondary parts; then true. */
export const useDrawn = (): boolean => useDeferredValue(true, false);
