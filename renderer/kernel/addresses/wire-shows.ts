import { navigate, useLocationProperty } from "wouter/use-browser-location";
import { wireIn, withWire } from "./wire-address.ts";

/** Returns the exchange in this window's address; null: none is selected, and the wire follows the newest. */
export const shownInWire = (): string | null => wireIn(window.location.search);

export const useWireShows = (): string | null => useLocationProperty(shownInWire, shownInWire);

/** Sets or removes the exchange in the address and keeps the rest. Adds a history entry, so Back undoes it. */
export const putInAddress = (id: string | null): void => {
  if (id === shownInWire()) return;
  const { pathname, search, hash } = window.location;
  navigate(withWire(pathname + search + hash, id), { state: window.history.state });
};
