import type { ReactNode } from "react";
import { Router } from "wouter";
import { navigate, useLocationProperty } from "wouter/use-browser-location";
import { beginStep } from "../../lib/focus.ts";
import { clearStoredFilter } from "../../lib/search-params.ts";
import { currentWorld } from "../../lib/session.ts";
import { inWorld, withoutWorld, worldInQuery } from "../../lib/world-address.ts";
import { selectedExchange } from "./selected-exchange.ts";
import { wireIn, withoutWire, withWire } from "./wire-address.ts";

const placeQuery = () => withoutWire(withoutWorld(window.location.search));
const usePlaceQuery = () => useLocationProperty(placeQuery, placeQuery);
const inThisWorld = (address: string) => inWorld(address, currentWorld());

/** Keeps the exchange selected on the wire during navigation within its world. */
const keepingWire = (address: string): string => {
  const shown = selectedExchange();
  const { search } = new URL(address, window.location.origin);
  return shown === null || wireIn(search) !== null || worldInQuery(search) !== currentWorld()
    ? address
    : withWire(address, shown);
};

type Navigate = (to: string, options?: { readonly replace?: boolean }) => void;
const stayingInWorld = (navigate: Navigate, to: string, options?: { readonly replace?: boolean }) => {
  beginStep();
  clearStoredFilter(to);
  navigate(keepingWire(inThisWorld(to)), options);
};

/** Adds the window's world to every address, and removes it from the query that places read. */
export const Addresses = ({ children }: { children: ReactNode }) => (
  <Router hrefs={inThisWorld} aroundNav={stayingInWorld} searchHook={usePlaceQuery}>
    {children}
  </Router>
);

/** Navigates within the window's world, from code outside components. */
export const goTo = (address: string): void => stayingInWorld(navigate, address);

/** Returns a place's address for another window or person: with the world, without a key. */
export const linkTo = (address: string): string => window.location.origin + inThisWorld(address);

/** Returns the current address in the same form, with the exchange selected on the wire. */
export const linkToHere = (): string => linkTo(window.location.pathname + window.location.search);
