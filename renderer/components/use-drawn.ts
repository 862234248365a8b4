import { useDeferredValue } from "react";

/** False in the first drawing, which comes into sight sooner without what may follow it; then true. */
export const useDrawn = (): boolean => useDeferredValue(true, false);
