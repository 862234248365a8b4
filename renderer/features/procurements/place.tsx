import { Box, EmptyState, Stack } from "@mantine/core";
import { IconArrowsExchange } from "@tabler/icons-react";
import { usePrefetchQuery } from "@tanstack/react-query";
import { Boundary } from "../../app/boundary.tsx";
import type { PlaceProps } from "../../app/places.ts";
import { usePageTitle } from "../../app/titles.ts";
import { useWorld } from "../../app/world.ts";
import { credentialsQuery, organizationsQuery } from "../../app/world-queries.ts";
import { Kbd } from "../../components/kbd.tsx";
import { Split } from "../../components/split.tsx";
import { procurementRowQuery } from "../../domain/procurement/queries.ts";
import { useAddress } from "./address.ts";
import { Board } from "./board/board.tsx";
import { ProcurementDetail } from "./detail/detail.tsx";
import { OrderList } from "./list.tsx";
import { movesQuery } from "./queries.ts";

const NoneChosen = () => {
  usePageTitle("Procurements");
  return (
    <EmptyState icon={<IconArrowsExchange />} title="Choose an order">
      <EmptyState.Description>
        See it side by side as its buyer and its supplier, with its next steps. Press <Kbd keys="j" /> and{" "}
        <Kbd keys="k" /> to move through the list, <Kbd keys="enter" /> to open, <Kbd keys="v" /> to show the board.
      </EmptyState.Description>
    </EmptyState>
  );
};

const BoardTitle = () => {
  usePageTitle("Board", "Procurements");
  return null;
};

/** All that its address tells how to ask for is read before anything else of the page, and while its code is on its way. */
const Opened = ({ id, tab }: { id: string; tab: string | undefined }) => {
  const world = useWorld();
  usePrefetchQuery(procurementRowQuery(world, id));
  usePrefetchQuery(credentialsQuery(world));
  usePrefetchQuery(organizationsQuery(world));
  usePrefetchQuery(movesQuery(world, id));
  return <ProcurementDetail id={id} tab={tab} />;
};

/** Orders and their states: a list or a board of them, and one procurement as its buyer and its supplier see it. */
export const Place = ({ id, tab }: PlaceProps) => {
  const { view } = useAddress();
  const open = id?.toLowerCase() ?? null;
  const shown = open && (
    <Boundary title="The order">
      <Opened key={open} id={open} tab={tab} />
    </Boundary>
  );
  if (view === "list") {
    return (
      <Split
        name="procurements"
        label="Procurements"
        initial={280}
        list={<OrderList selected={open} />}
        detail={shown ?? <NoneChosen />}
      />
    );
  }
  return (
    <Box pos="relative" h="100%" mih={0}>
      <Board open={open} />
      {shown ? (
        <Stack gap={0} pos="absolute" inset={0} bg="var(--surface)">
          {shown}
        </Stack>
      ) : (
        <BoardTitle />
      )}
    </Box>
  );
};
