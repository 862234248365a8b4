import { queryOptions } from "@tanstack/react-query";
import { create } from "zustand";
import { persist } from "zustand/middleware";
import { worldKeys } from "../../app/query-keys.ts";

/** More than anyone makes; so that what is kept stays small. */
const MOST_KEPT = 200;

interface Demonstrations {
  /** Integrations that exist only because a failure was shown with their code. */
  readonly made: readonly string[];
  readonly keep: (integrationId: string) => void;
}

/**
 * The service cannot tell such an integration from any other: this browser remembers the ones it made, so that the list
 * says what they are and nothing is called with them.
 */
export const useDemonstrations = create<Demonstrations>()(
  persist(
    (set) => ({
      made: [],
      keep: (integrationId) => set(({ made }) => ({ made: [...made, integrationId].slice(-MOST_KEPT) })),
    }),
    { name: "explorer.install.demonstrations", version: 1, partialize: ({ made }) => ({ made }) },
  ),
);

/** A code that was used up to show what happens then; shown again with the same one. */
export interface UsedUp {
  readonly access_code: string;
  readonly client_id: string;
}

/** Read from nowhere, as the flow is: a world that was reset forgets it. */
export const usedUpQuery = (world: string) =>
  queryOptions({
    queryKey: [...worldKeys(world).all, "install", "used-up"] as const,
    queryFn: (): UsedUp | null => null,
    initialData: (): UsedUp | null => null,
    gcTime: Number.POSITIVE_INFINITY,
  });
