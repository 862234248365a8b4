import { type QueryKey, queryOptions } from "@tanstack/react-query";
import { isId } from "./search-params.ts";
import { callControl } from "./service-client.ts";
import { ServiceFailure } from "./service-failure.ts";

type Operation = Parameters<typeof callControl>[0];
export type ControlRequest<Id extends Operation> = Parameters<typeof callControl<Id>>[1];
type Answer<Id extends Operation> = Awaited<ReturnType<typeof callControl<Id>>>;
type ItemsOf<Id extends Operation> = Answer<Id> extends { readonly items: infer Items } ? Items : never;

/** A mistyped address can hold an ID that can't exist; the service isn't asked for it. */
const namesNothing = (asked: object): boolean =>
  Object.entries(asked).some(
    ([name, value]) => /^(?:\w+_)?id$/.test(name) && typeof value === "string" && !isId(value),
  );

/** A query for an operation of the control plane. */
export const controlQuery = <Id extends Operation>(queryKey: QueryKey, id: Id, asked: ControlRequest<Id>) =>
  queryOptions({
    queryKey,
    queryFn: ({ signal }) => {
      if (namesNothing(asked)) throw new ServiceFailure(404, "not_found", "Nothing has this ID.");
      return callControl(id, asked, { signal });
    },
  });

/** A query for the items of a list operation, without the rest of the response. */
export const itemsQuery = <Id extends Operation>(queryKey: QueryKey, id: Id, asked: ControlRequest<Id>) =>
  queryOptions({
    queryKey,
    queryFn: async ({ signal }) => {
      const answer = (await callControl(id, asked, { signal })) as { readonly items: ItemsOf<Id> };
      return answer.items;
    },
  });
