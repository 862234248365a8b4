import type { ReactNode } from "react";
import { Router } from "wouter";
import { navigate, useLocationProperty } from "wouter/use-browser-location";
import { beginStep } from "../../lib/focus.ts";
import { keepInSight } from "../../lib/search-params.ts";
import { currentWorld } from "../../lib/session.ts";
import { inWorld, withoutWorld, worldInQuery } from "../../lib/world-address.ts";
import { wireIn, withoutWire, withWire } from "./wire-address.ts";
import { shownInWire } from "./wire-shows.ts";

const placeQuery = () => withoutWire(withoutWorld(window.location.search));
const usePlaceQuery = () => useLocationProperty(placeQuery, placeQuery);
const inThisWorld = (address: string) => inWorld(address, currentWorld());

/** The exchange on the wire stays in sight on the way through the places of its world. */
const keepingWire = (address: string): string => {
  const shown = shownInWire();
  const { search } = new URL(address, window.location.origin);
  return shown === null || wireIn(search) !== null || worldInQuery(search) !== currentWorld()
    ? address
    : withWire(address, shown);
};

type Navigate = (to: string, options?: { readonly replace?: boolean }) => void;
const stayingInWorld = (navigate: Navigate, to: string, options?: { readonly replace?: boolean }) => {
  beginStep();
  keepInSight(to);
  navigate(keepingWire(inThisWorld(to)), options);
};

/** Keeps the window's world in every address, whichever place writes it; places read a query without it. */
export const Addresses = ({ children }: { children: ReactNode }) => (
  <Router hrefs={inThisWorld} aroundNav={stayingInWorld} searchHook={usePlaceQuery}>
    {children}
  </Router>
);

/** Leads to a place in the window's world where no component does. */
export const goTo = (address: string): void => stayingInWorld(navigate, address);

/** A place's address for another window or person: with the world, without a key. */
export const linkTo = (address: string): string => window.location.origin + inThisWorld(address);

/** The same of what is in sight, the exchange that was chosen on the wire too. */
export const linkToHere = (): string => linkTo(window.location.pathname + window.location.search);
