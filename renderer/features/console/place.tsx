import { type QueryClient, useQuery } from "@tanstack/react-query";
import { declarationsQuery } from "../../domain/exchange/declarations.ts";
import type { PlaceProps } from "../../kernel/addresses/places.ts";
import { ListBesideDetail } from "../../kernel/place/list-beside-detail.tsx";
import { OperationPage } from "./operation-page.tsx";
import { OperationsList } from "./operations-list.tsx";

/**
 * Console: everything the service can be asked, and right one operation: as whom, with what, and what it answers. Until
 * one is opened, the first that takes a key is shown.
 */
const ConsolePlace = ({ id }: PlaceProps) => {
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

/** What its list shows first. */
export const prefetch = (client: QueryClient) => [client.prefetchQuery(declarationsQuery())];

export { ConsolePlace as Place };
