import type { QueryClient } from "@tanstack/react-query";
import { createElement } from "react";
import type { PlaceProps } from "../../kernel/addresses/places.ts";
import { ListBesideDetail } from "../../kernel/place/list-beside-detail.tsx";
import { worldsQuery } from "../../kernel/queries/world-queries.ts";
import { useWorld } from "../../kernel/world/world.ts";
import { ComparePage } from "./compare/compare-page.tsx";
import { CounterpartsPage } from "./counterparts/counterparts-page.tsx";
import { WorldDetail } from "./detail/world-detail.tsx";
import { FaultsPage } from "./faults/faults-page.tsx";
import { WorldsList } from "./list/worlds-list.tsx";

const pages = { faults: FaultsPage, counterparts: CounterpartsPage, compare: ComparePage } as const;

/** The place Worlds: all worlds, and one on the right, this window's by default. */
export const Place = ({ id, tab }: PlaceProps) => {
  const here = useWorld();
  const name = id ?? here;
  return (
    <ListBesideDetail
      name="worlds"
      label="Worlds"
      rest="This world"
      initial={288}
      least={240}
      list={<WorldsList shown={name} />}
      detail={
        tab === "faults" || tab === "counterparts" || tab === "compare" ? (
          createElement(pages[tab], { key: name, name })
        ) : (
          <WorldDetail key={name} name={name} shown={tab} />
        )
      }
    />
  );
};

/** Loads the list before the page is drawn. */
export const prefetch = (client: QueryClient) => [client.prefetchQuery(worldsQuery())];
