import { type QueryKey, queryOptions } from "@tanstack/react-query";
import { isId } from "./search-params.ts";
import { callControl } from "./service-client.ts";
import { ServiceFailure } from "./service-failure.ts";

export type Operation = Parameters<typeof callControl>[0];
export type ControlRequest<Id extends Operation> = Parameters<typeof callControl<Id>>[1];
export type ControlResponse<Id extends Operation> =
  ReturnType<typeof callControl<Id>> extends Promise<infer Result> ? Result : never;
type ItemsOf<Id extends Operation> = ControlResponse<Id> extends { readonly items: infer Items } ? Items : never;

/** Detects an ID from a mistyped address, which can't exist, so the service needn't be called. */
const hasImpossibleId = (request: object): boolean =>
  Object.entries(request).some(
    ([name, value]) => /^(?:\w+_)?id$/.test(name) && typeof value === "string" && !isId(value),
  );

export const controlQuery = <Id extends Operation>(queryKey: QueryKey, id: Id, request: ControlRequest<Id>) =>
  queryOptions({
    queryKey,
    queryFn: ({ signal }) => {
      if (hasImpossibleId(request)) throw new ServiceFailure(404, "not_found", "Nothing has this ID.");
      return callControl(id, request, { signal });
    },
  });

/** A query for the items of a list operation, without the rest of the response. */
export const itemsQuery = <Id extends Operation>(queryKey: QueryKey, id: Id, request: ControlRequest<Id>) =>
  queryOptions({
    queryKey,
    queryFn: async ({ signal }) => {
      const response = (await callControl(id, request, { signal })) as { readonly items: ItemsOf<Id> };
      return response.items;
    },
  });
