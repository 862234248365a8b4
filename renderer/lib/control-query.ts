import { type QueryKey, queryOptions } from "@tanstack/react-query";
import { callControl } from "./service-client.ts";

type Operation = Parameters<typeof callControl>[0];
export type Asked<Id extends Operation> = Parameters<typeof callControl<Id>>[1];
type Answer<Id extends Operation> = Awaited<ReturnType<typeof callControl<Id>>>;
type ItemsOf<Id extends Operation> = Answer<Id> extends { readonly items: infer Items } ? Items : never;

/** What an operation of the control plane answers. */
export const controlQuery = <Id extends Operation>(queryKey: QueryKey, id: Id, asked: Asked<Id>) =>
  queryOptions({ queryKey, queryFn: ({ signal }) => callControl(id, asked, { signal }) });

/** The items of one that lists, without what stands beside them. */
export const itemsQuery = <Id extends Operation>(queryKey: QueryKey, id: Id, asked: Asked<Id>) =>
  queryOptions({
    queryKey,
    queryFn: async ({ signal }) => {
      const answer = (await callControl(id, asked, { signal })) as { readonly items: ItemsOf<Id> };
      return answer.items;
    },
  });
