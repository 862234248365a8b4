import type { QueryClient } from "@tanstack/react-query";
import { type ComponentType, createElement } from "react";
import { Skeletons } from "../../components/read.tsx";
import { type PlaceEntry, type PlaceProps, places } from "../../kernel/addresses/places.ts";
import { late, MissingCode } from "../../lib/late.ts";

interface PlaceModule {
  readonly Place: ComponentType<PlaceProps>;
  /** Reads the data that an address shows first, so that the first render has it. */
  readonly prefetch?: (client: QueryClient, world: string, at: PlaceProps) => readonly Promise<unknown>[];
}

/** Every place is its own chunk: `features/<name>/place.tsx` exports `Place`. */
const modules = import.meta.glob<PlaceModule>("../../features/*/place.tsx");

const withCode = (place: PlaceEntry) => {
  const file = `../../features/${place.name}/place.tsx`;
  let prefetch: PlaceModule["prefetch"];
  const { Part, preload } = late(
    async () => {
      const code = await modules[file]?.();
      if (code === undefined) throw new MissingCode(file);
      prefetch = code.prefetch;
      return code.Place;
    },
    () => createElement(Skeletons, { what: place.title, rows: 6 }),
  );
  return {
    ...place,
    Place: Part,
    /** Fetches the code for an immediate first render. Resolves even if the fetch fails. */
    preload,
    prefetch: (...of: Parameters<NonNullable<PlaceModule["prefetch"]>>) => prefetch?.(...of) ?? [],
  };
};

/** Every place with its code, in the order of the rail. */
export const placesWithCode = places.map(withCode);
