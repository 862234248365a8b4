import { Box, EmptyState, Group, Stack, Text } from "@mantine/core";
import { IconBasket, IconBasketOff } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useRef } from "react";
import type { JobRow } from "../../../../sandbox/contract/control/rows.ts";
import type { Basket } from "../../../../sandbox/contract/resources/basket.ts";
import type { Part } from "../../../../sandbox/contract/resources/job.ts";
import { Button, LinkButton } from "../../../components/button.tsx";
import { Read } from "../../../components/read.tsx";
import { Toolbar } from "../../../components/section.tsx";
import { Origin } from "../../../domain/decision/origin.tsx";
import { hrefs } from "../../../kernel/addresses/hrefs.ts";
import type { KeyedCredential } from "../../../kernel/credentials/acting.ts";
import { useWorld } from "../../../kernel/world/world.ts";
import { formatClock } from "../../../lib/formatting.ts";
import { addPartsHref } from "../address.ts";
import { usePlaceOrders } from "../mutations.ts";
import { basketQuery, partsQuery } from "../queries.ts";
import styles from "./basket.module.css";
import { BasketGrid } from "./basket-grid.tsx";
import { basketTable } from "./basket-table.ts";
import { byCondition, byPrice, chooseOffers } from "./choosing.ts";
import { PlaceBar } from "./place-bar.tsx";
import { useChoice } from "./use-choice.ts";

interface TabProps {
  readonly row: JobRow;
  readonly credential: KeyedCredential;
}

/** The latest basket as a comparison with the chosen offers, and placing them. */
export const BasketTab = ({ row, credential }: TabProps) => {
  const world = useWorld();
  const parts = useQuery(partsQuery(world, row.id, credential));
  const basket = useQuery(basketQuery(world, row.id, credential));
  return (
    <Read of={parts} what="the parts" rows={6}>
      {({ items }) =>
        items.length === 0 ? (
          <EmptyState icon={<IconBasket />} title="No parts, so no offers">
            <EmptyState.Description>
              Add parts to get offers. Until then, the basket is two empty arrays. <Origin of="assumption" id="D43" />
            </EmptyState.Description>
            <LinkButton small href={addPartsHref(row.id)}>
              Add parts
            </LinkButton>
          </EmptyState>
        ) : (
          <Read of={basket} what="the basket" rows={6}>
            {(data) =>
              data.offers.length === 0 ? (
                <EmptyState
                  icon={<IconBasketOff />}
                  title="No offers for these parts"
                  description={
                    row.claim_number?.startsWith("test:")
                      ? `The claim number limits the offers: ${row.claim_number}`
                      : "Parts with quantity 0 get no offers."
                  }
                >
                  <LinkButton small href={hrefs.job(row.id, "parts")}>
                    View parts
                  </LinkButton>
                </EmptyState>
              ) : (
                <Offers
                  row={row}
                  credential={credential}
                  parts={items}
                  basket={data}
                  answeredAt={basket.dataUpdatedAt}
                />
              )
            }
          </Read>
        )
      }
    </Read>
  );
};

interface OffersProps extends TabProps {
  readonly parts: readonly Part[];
  readonly basket: Basket;
  readonly answeredAt: number;
}

const Offers = ({ row, credential, parts, basket, answeredAt }: OffersProps) => {
  const table = useMemo(() => basketTable(parts, basket), [parts, basket]);
  const choice = useChoice(row.id, table);
  const box = useRef<HTMLDivElement>(null);
  const place = usePlaceOrders(row.id, credential, () => choice.choose([]));
  const open = parts.filter(({ status }) => status !== "ordered").map(({ id }) => id);
  const choose = (judge: typeof byPrice) => choice.choose(chooseOffers(table, open, judge));
  return (
    <Stack ref={box} gap={0} className={styles.basket}>
      <Toolbar label="Basket">
        <Group gap={0} flex="none">
          <Button small look="quiet" disabled={open.length === 0} onClick={() => choose(byPrice)}>
            Choose cheapest
          </Button>
          <Button small look="quiet" disabled={open.length === 0} onClick={() => choose(byCondition)}>
            Choose best condition
          </Button>
          <Button small look="quiet" disabled={choice.chosen.length === 0} onClick={() => choice.choose([])}>
            Clear
          </Button>
        </Group>
        <Box component="span" flex={1} />
        <Text
          variant="aside"
          textWrap="nowrap"
          title="OfferV1 has a trade_price and no currency: an order has its site’s"
        >
          {row.site.currency_code} per unit <Origin of="contract" />
        </Text>
        <Text variant="aside" textWrap="nowrap">
          Loaded {formatClock(new Date(answeredAt).toISOString())} <Origin of="assumption" id="D43" />
        </Text>
      </Toolbar>
      <BasketGrid choice={choice}>
        <PlaceBar basket={box} row={row} credential={credential} choice={choice} place={place} />
      </BasketGrid>
    </Stack>
  );
};
