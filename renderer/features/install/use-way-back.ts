import { useMemo } from "react";
import { installParams, places } from "../../app/places.ts";
import { useSearchParamsOf } from "../../lib/search-params.ts";
import { type WayBack, wayBackIn } from "./way-back.ts";

/** Where this install was asked for, as the address says it; null when nobody waits for the key. */
export const useWayBack = (): WayBack | null => {
  const { values } = useSearchParamsOf(installParams);
  return useMemo(() => wayBackIn(values, places), [values]);
};
