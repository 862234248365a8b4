import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, queryOptions, skipToken, useQuery } from "@tanstack/react-query";
import type { operationsCheck } from "../../../sandbox/contract/control/explain-operations.ts";
import type { ResponseOf } from "../../../sandbox/contract/operation.ts";
import { serviceKeys } from "../../kernel/queries/query-keys.ts";
import { callControl } from "../../lib/service-client.ts";
import { homeWorld } from "../../lib/world-access.ts";

export type RequestCheck = ResponseOf<typeof operationsCheck>;

/** Validates a body before it is sent. The result doesn't depend on the world and never changes. */
const requestCheckQuery = (operation: string | null, body: string) =>
  queryOptions({
    queryKey: [...serviceKeys.declarations, "check", operation, body],
    queryFn:
      operation === null
        ? skipToken
        : ({ signal }) => callControl("operations.check", { world: homeWorld(), operation, body }, { signal }),
    placeholderData: keepPreviousData,
    gcTime: 60_000,
  });

/**
 * Validates a body shortly after the last keystroke. `isCurrent`: the result is for this text.
 * @param operation null: no check
 */
export const useRequestCheck = (operation: string | null, body: string) => {
  const [checkedBody] = useDebouncedValue(body, 150);
  const { data, isPlaceholderData } = useQuery(requestCheckQuery(operation, checkedBody));
  return { check: data ?? null, isCurrent: checkedBody === body && !isPlaceholderData };
};
