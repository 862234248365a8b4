import { useDebouncedValue } from "@mantine/hooks";
import { useCallback, useEffect, useMemo } from "react";
import { useLocation, useSearch } from "wouter";
import { create } from "zustand";
import { combine, persist } from "zustand/middleware";
import { keptIn } from "./storage.ts";
import { DEFAULT_WORLD } from "./world-name.ts";

/** How a value stands behind its name in an address. */
export interface Kind<T> {
  /** Of what stands there; null where the name does not. What is no such value is as usual. */
  parse(text: string | null): T;
  /** Null where the value is as usual: its name is left out. */
  format(value: T): string | null;
}

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a text is an identifier as the service gives them, and nothing else. */
export const isId = (text: string): boolean => ID.test(text);

/** Text that `fits`, or null. */
export const textThat = (fits: (text: string) => boolean): Kind<string | null> => ({
  parse: (text) => (text !== null && fits(text) ? text : null),
  format: (value) => value,
});
/** Anything a person typed; empty as usual. */
export const moment = textThat((text) => /^\d{4}-\d\d-\d\dT/.test(text) && !Number.isNaN(Date.parse(text)));
export const text: Kind<string> = { parse: (text) => text ?? "", format: (value) => value || null };
export const id: Kind<string | null> = {
  parse: (text) => (text !== null && isId(text) ? text.toLowerCase() : null),
  format: (value) => value,
};
/** Whether the name is there. */
export const flag: Kind<boolean> = { parse: (text) => text !== null, format: (value) => (value ? "" : null) };
/** One of a few; as usual the one that is named, or none. */
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

/** What stands behind the "?" of a place's addresses. */
export interface SearchParams<V> {
  parse(query: string): V;
  /** A query with some of it changed, every other byte as it was. Begins with "?", or is empty. */
  format(query: string, change: Partial<V>): string;
  /** Whether a query says anything about these. */
  isNamedIn(query: string): boolean;
}
export type ValuesOf<P> = P extends SearchParams<infer V> ? V : never;

const nameOf = (part: string): string => new URLSearchParams(part).keys().next().value ?? "";
const partsOf = (query: string): string[] => query.replace(/^\?/, "").split("&").filter(Boolean);

/** Declares them, each name with its kind. */
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

/** A filter as it is asked for: what is typed a moment after the last letter, everything else at once. */
export const useAsked = <F extends object>(filter: F): F => {
  const [search] = useDebouncedValue(typedIn(filter), 120);
  return useMemo(() => withTyped(filter, search), [filter, search]);
};

/** An address with another query. */
export const withQuery = (address: string, change: (query: string) => string): string => {
  const [, path = "", query = "", fragment = ""] = /^([^?#]*)(\?[^#]*)?(#.*)?$/.exec(address) ?? [];
  return path + change(query) + fragment;
};

/** What the address says, and a way to change it where it stands: going back does not walk through every letter typed. */
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

const useKept = create(
  persist(
    combine({ kept: {} as Readonly<Record<string, string>> }, (set) => ({
      keep: (name: string, query: string) =>
        set(({ kept }) => (kept[name] === query ? {} : { kept: { ...kept, [name]: query } })),
    })),
    // A reload keeps it; another window begins its own.
    { name: "explorer.kept", version: 1, storage: keptIn("window") },
  ),
);

// What a world's address says is read by means of this file.
const keptName = (place: string): string =>
  `${place} ${new URLSearchParams(window.location.search).get("world") ?? DEFAULT_WORLD}`;

/**
 * What is opened from elsewhere is among the rows of its place: what those were narrowed to before is given up, unless the
 * address says it.
 *
 * @param from the path one comes from; empty: from outside
 */
export const keepInSight = (address: string, from = window.location.pathname): void => {
  const [, place = "", opened = ""] = address.split(/[/?#]/);
  if (isId(opened) && from.split("/")[1] !== place) useKept.getState().keep(keptName(place), "");
};

/** What a list is asked for with as the page opens: as its address says it, else as it was when the list was left. */
export const askedAtFirst = <F extends object>(params: SearchParams<F>, place: string): F => {
  const query = window.location.search;
  const kept = useKept.getState().kept[keptName(place)] ?? "";
  const filter = params.parse(params.isNamedIn(query) ? query : kept);
  return withTyped(filter, typedIn(filter));
};

/**
 * The same for what outlives its address: where one says nothing of it, it is what it was in this window and world, and
 * the address is made to say so. `place` is what it is kept under.
 *
 * @param isSaid false: the address says it only where it said it already
 */
export const useKeptSearchParamsOf = <V>(params: SearchParams<V>, place: string, isSaid = true) => {
  const name = keptName(place);
  const [path, navigate] = useLocation();
  const query = useSearch();
  const kept = useKept((state) => state.kept[name] ?? "");
  const keep = useKept((state) => state.keep);
  const isNamed = params.isNamedIn(query);
  const values = useMemo(() => params.parse(isNamed ? query : kept), [params, isNamed, query, kept]);
  useEffect(() => {
    if (isNamed) keep(name, params.format("", values));
    else if (isSaid && kept !== "") navigate(path + params.format(query, values), { replace: true });
  }, [params, name, isSaid, isNamed, values, kept, keep, navigate, path, query]);
  const change = useCallback(
    (some: Partial<V>) => {
      const next = { ...values, ...some };
      // Both at once: with one behind the other, what is cleared would be put back.
      keep(name, params.format("", next));
      if (isSaid || isNamed) navigate(path + params.format(query, next), { replace: true });
    },
    [params, name, isSaid, isNamed, values, keep, navigate, path, query],
  );
  return { values, change, query };
};
