import type { ReactNode } from "react";
import { Router } from "wouter";
import { useLocationProperty } from "wouter/use-browser-location";
import { currentWorld } from "../lib/session.ts";
import { inWorld, withoutWorld } from "../lib/world-address.ts";

const placeQuery = () => withoutWorld(window.location.search);
const usePlaceQuery = () => useLocationProperty(placeQuery, placeQuery);
const inThisWorld = (address: string) => inWorld(address, currentWorld());

type Navigate = (to: string, options?: { readonly replace?: boolean }) => void;
const stayingInWorld = (navigate: Navigate, to: string, options?: { readonly replace?: boolean }) =>
  navigate(inThisWorld(to), options);

/** Keeps the window's world in every address, whichever place writes it; places read a query without it. */
export const Addresses = ({ children }: { children: ReactNode }) => (
  <Router hrefs={inThisWorld} aroundNav={stayingInWorld} searchHook={usePlaceQuery}>
    {children}
  </Router>
);

/** A place's address for another window or person: with the world, without a key. */
export const linkTo = (address: string): string => window.location.origin + inThisWorld(address);

/** The same of what is in sight. */
export const linkToHere = (): string => linkTo(window.location.pathname + window.location.search);
