import { useDebouncedValue } from "@mantine/hooks";
import { useCallback, useEffect, useMemo } from "react";
import { useLocation, useSearch } from "wouter";
import { create } from "zustand";
import { combine, persist } from "zustand/middleware";
import { createStateStorage } from "./storage.ts";
import { DEFAULT_WORLD } from "./world-name.ts";

/** Parses and formats the value of a query parameter. */
interface Kind<T> {
  /** Parses the text, null without the parameter. Invalid text gives the default. */
  parse(text: string | null): T;
  /** Null for the default, which is left out of the address. */
  format(value: T): string | null;
}

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Returns whether the whole text is an ID in the service's format. */
export const isId = (text: string): boolean => ID.test(text);

/** Text that `fits`, or null. */
export const textThat = (fits: (text: string) => boolean): Kind<string | null> => ({
  parse: (text) => (text !== null && fits(text) ? text : null),
  format: (value) => value,
});
export const moment = textThat((text) => /^\d{4}-\d\d-\d\dT/.test(text) && !Number.isNaN(Date.parse(text)));
export const text: Kind<string> = { parse: (text) => text ?? "", format: (value) => value || null };
export const id: Kind<string | null> = {
  parse: (text) => (text !== null && isId(text) ? text.toLowerCase() : null),
  format: (value) => value,
};
/** True if the parameter is present. */
export const flag: Kind<boolean> = { parse: (text) => text !== null, format: (value) => (value ? "" : null) };
/** One of a few values; the default is the given one, or none. */
export function choice<const V extends string>(values: readonly V[]): Kind<V | null>;
export function choice<const V extends string>(values: readonly V[], usual: NoInfer<V>): Kind<V>;
export function choice<const V extends string>(values: readonly V[], usual: V | null = null): Kind<V | null> {
  return {
    parse: (text) => values.find((value) => value === text) ?? usual,
    format: (value) => (value === usual ? null : value),
  };
}

type Kinds = Readonly<Record<string, Kind<unknown>>>;
type Values<K extends Kinds> = { readonly [Name in keyof K]: K[Name] extends Kind<infer T> ? T : never };

/** The query parameters of a place's addresses. */
export interface SearchParams<V> {
  parse(query: string): V;
  /** Returns the query with some values changed and every other byte kept. Begins with "?", or is empty. */
  format(query: string, change: Partial<V>): string;
  /** Returns whether a query has any of these parameters. */
  isNamedIn(query: string): boolean;
}
export type ValuesOf<P> = P extends SearchParams<infer V> ? V : never;

const nameOf = (part: string): string => new URLSearchParams(part).keys().next().value ?? "";
const partsOf = (query: string): string[] => query.replace(/^\?/, "").split("&").filter(Boolean);

/** Declares parameters, each name with its kind. */
export const searchParams = <K extends Kinds>(kinds: K): SearchParams<Values<K>> => {
  const names = Object.keys(kinds);
  const parse = (query: string): Values<K> => {
    const found = new URLSearchParams(query);
    return Object.fromEntries(names.map((name) => [name, kinds[name]?.parse(found.get(name))])) as Values<K>;
  };
  return {
    parse,
    format: (query, change) => {
      const values: Readonly<Record<string, unknown>> = { ...parse(query), ...change };
      const own = names.flatMap((name) => {
        const value = kinds[name]?.format(values[name]) ?? null;
        return value === null ? [] : [new URLSearchParams([[name, value]]).toString().replace(/=$/, "")];
      });
      const parts = [...partsOf(query).filter((part) => !names.includes(nameOf(part))), ...own];
      return parts.length === 0 ? "" : `?${parts.join("&")}`;
    },
    isNamedIn: (query) => partsOf(query).some((part) => names.includes(nameOf(part))),
  };
};

const typedIn = (filter: object): string | null => ("search" in filter ? String(filter.search).trim() : null);
const withTyped = <F extends object>(filter: F, search: string | null): F =>
  search === null ? filter : { ...filter, search };

/** Returns the filter for requests: typed text after a short delay, everything else immediately. */
export const useDebouncedFilter = <F extends object>(filter: F): F => {
  const [search] = useDebouncedValue(typedIn(filter), 120);
  return useMemo(() => withTyped(filter, search), [filter, search]);
};

/** Returns an address with its query changed. */
export const withQuery = (address: string, change: (query: string) => string): string => {
  const [, path = "", query = "", fragment = ""] = /^([^?#]*)(\?[^#]*)?(#.*)?$/.exec(address) ?? [];
  return path + change(query) + fragment;
};

/** The address's parameters and a setter that replaces the history entry, so that Back skips each typed letter. */
export const useSearchParamsOf = <V>(params: SearchParams<V>) => {
  const [path, navigate] = useLocation();
  const query = useSearch();
  const values = useMemo(() => params.parse(query), [params, query]);
  const change = useCallback(
    (some: Partial<V>) => navigate(path + params.format(query, some), { replace: true }),
    [navigate, params, path, query],
  );
  return { values, change, query };
};

const useStoredFilters = create(
  persist(
    combine({ kept: {} as Readonly<Record<string, string>> }, (set) => ({
      keep: (name: string, query: string) =>
        set(({ kept }) => (kept[name] === query ? {} : { kept: { ...kept, [name]: query } })),
    })),
    // A reload keeps the filter; another window starts with its own.
    { name: "explorer.kept", version: 1, storage: createStateStorage("window") },
  ),
);

// world-address.ts imports this module, so the parameter is read here directly.
const storageName = (place: string): string =>
  `${place} ${new URLSearchParams(window.location.search).get("world") ?? DEFAULT_WORLD}`;

/**
 * Deletes the kept filter of a place when one of its items is opened from elsewhere, so that its row is listed. An
 * address with a filter keeps it.
 *
 * @param from the previous path; empty: from outside the explorer
 */
export const clearStoredFilter = (address: string, from = window.location.pathname): void => {
  const [, place = "", opened = ""] = address.split(/[/?#]/);
  if (isId(opened) && from.split("/")[1] !== place) useStoredFilters.getState().keep(storageName(place), "");
};

/** Returns the first filter of a list: the address's, else the one it was left with. */
export const readInitialFilter = <F extends object>(params: SearchParams<F>, place: string): F => {
  const query = window.location.search;
  const storedQuery = useStoredFilters.getState().kept[storageName(place)] ?? "";
  const filter = params.parse(params.isNamedIn(query) ? query : storedQuery);
  return withTyped(filter, typedIn(filter));
};

/**
 * Like useSearchParamsOf, but an address without these parameters uses the last values of this window and world, and is
 * changed to show them. `place` is the storage name.
 *
 * @param isInAddress false: changes only an address that already has them
 */
export const useKeptSearchParamsOf = <V>(params: SearchParams<V>, place: string, isInAddress = true) => {
  const name = storageName(place);
  const [path, navigate] = useLocation();
  const query = useSearch();
  const storedQuery = useStoredFilters((state) => state.kept[name] ?? "");
  const keep = useStoredFilters((state) => state.keep);
  const isNamed = params.isNamedIn(query);
  const values = useMemo(() => params.parse(isNamed ? query : storedQuery), [params, isNamed, query, storedQuery]);
  useEffect(() => {
    if (isNamed) keep(name, params.format("", values));
    else if (isInAddress && storedQuery !== "") navigate(path + params.format(query, values), { replace: true });
  }, [params, name, isInAddress, isNamed, values, storedQuery, keep, navigate, path, query]);
  const change = useCallback(
    (some: Partial<V>) => {
      const next = { ...values, ...some };
      // Together: one after the other would restore a cleared value.
      keep(name, params.format("", next));
      if (isInAddress || isNamed) navigate(path + params.format(query, next), { replace: true });
    },
    [params, name, isInAddress, isNamed, values, keep, navigate, path, query],
  );
  return { values, change, query };
};
