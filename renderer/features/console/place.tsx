import { type QueryClient, useQuery } from "@tanstack/react-query";
import { declarationsQuery } from "../../domain/exchange/declarations.ts";
import type { PlaceProps } from "../../kernel/addresses/places.ts";
import { ListBesideDetail } from "../../kernel/place/list-beside-detail.tsx";
import { OperationPage } from "./operation-page.tsx";
import { OperationsList } from "./operations-list.tsx";

/**
 * The place Console: all operations on the left, and one on the right with caller, body and response. Without a choice,
 * shows the first that takes a key.
 */
export const Place = ({ id }: PlaceProps) => {
  const { data } = useQuery(declarationsQuery());
  const shown = id ?? data?.find(({ scope }) => scope !== "none")?.id;
  return (
    <ListBesideDetail
      name="console"
      label="Console"
      initial={248}
      list={<OperationsList selected={id ?? null} shown={shown ?? null} />}
      detail={shown && <OperationPage key={shown} id={shown} />}
    />
  );
};

/** Loads the list before the page is drawn. */
export const prefetch = (client: QueryClient) => [client.prefetchQuery(declarationsQuery())];
