import { navigate, useLocationProperty } from "wouter/use-browser-location";
import { wireIn, withWire } from "./wire-address.ts";

/** The exchange this window's address names; null: none was chosen, and the wire follows the newest. */
export const shownInWire = (): string | null => wireIn(window.location.search);

export const useWireShows = (): string | null => useLocationProperty(shownInWire, shownInWire);

/** Puts an exchange into the address, or takes it out; what else it says stays. Back undoes it. */
export const putInAddress = (id: string | null): void => {
  if (id === shownInWire()) return;
  const { pathname, search, hash } = window.location;
  navigate(withWire(pathname + search + hash, id), { state: window.history.state });
};
