import { useMemo } from "react";
import { useSearch } from "wouter";
import { places } from "../../app/places.ts";
import { type WayBack, wayBackIn } from "./way-back.ts";

/** Where this install was asked for, as the address says it; null when nobody waits for the key. */
export const useWayBack = (): WayBack | null => {
  const query = useSearch();
  return useMemo(() => wayBackIn(new URLSearchParams(query), places), [query]);
};
