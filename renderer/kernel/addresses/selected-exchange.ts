import { navigate, useLocationProperty } from "wouter/use-browser-location";
import { wireIn, withWire } from "./wire-address.ts";

/** Returns the exchange in this window's address; null: none is selected, and the wire follows the newest. */
export const selectedExchange = (): string | null => wireIn(window.location.search);

export const useSelectedExchange = (): string | null => useLocationProperty(selectedExchange, selectedExchange);

/** Sets or removes the exchange in the address and keeps the rest. Adds a history entry, so Back undoes it. */
export const selectExchange = (id: string | null): void => {
  if (id === selectedExchange()) return;
  const { pathname, search, hash } = window.location;
  navigate(withWire(pathname + search + hash, id), { state: window.history.state });
};
