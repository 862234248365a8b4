import { Box, Button as LibraryButton, Menu } from "@mantine/core";
import { IconBasket, IconBasketOff, IconChevronDown, IconRepeat, IconX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, type Ref, useEffect, useMemo, useRef, useState } from "react";
import type { JobRow } from "../../../../sandbox/contract/control/rows.ts";
import type { Basket } from "../../../../sandbox/contract/resources/basket.ts";
import type { Part } from "../../../../sandbox/contract/resources/job.ts";
import type { BuyerProcurement } from "../../../../sandbox/contract/resources/procurement.ts";
import type { KeyedCredential } from "../../../app/acting.ts";
import { notify } from "../../../app/notices.tsx";
import { hrefs } from "../../../app/places.ts";
import { useWorld } from "../../../app/world.ts";
import { Button, IconButton, LinkButton } from "../../../components/button.tsx";
import { NothingYet } from "../../../components/empty.tsx";
import { Icon } from "../../../components/icon.tsx";
import { TextLink } from "../../../components/link.tsx";
import { Origin } from "../../../components/origin.tsx";
import { Read } from "../../../components/read.tsx";
import { Toolbar } from "../../../components/section.tsx";
import { SideGlyph } from "../../../components/side.tsx";
import { State } from "../../../components/state.tsx";
import { amountText } from "../../../lib/amounts.ts";
import { announce } from "../../../lib/announce.ts";
import { handsFocusOn } from "../../../lib/focus.ts";
import { formatAmount, formatClock, plural } from "../../../lib/formatting.ts";
import { addPartsHref } from "../address.ts";
import jobs from "../jobs.module.css";
import { usePlaceOrders } from "../mutations.ts";
import { basketQuery, orderedQuery, partsQuery } from "../queries.ts";
import styles from "./basket.module.css";
import { BasketGrid } from "./basket-grid.tsx";
import { basketTable } from "./basket-table.ts";
import { cheapest, inBestCondition, orderedWords } from "./choosing.ts";
import { PlaceBar } from "./place-bar.tsx";
import { type BasketChoice, useChoice } from "./use-choice.ts";

/** Whether whoever opened the basket wants to stand on its offers as soon as there are some. */
export interface Wish {
  current: boolean;
}

/** Gives the focus to the offer that has it in the basket; false while none is drawn. */
export const standOnOffer = (within: HTMLElement | null): boolean => {
  const offer = within?.querySelector<HTMLElement>("[data-offer][tabindex='0']");
  offer?.focus();
  return Boolean(offer);
};

interface TabProps {
  readonly row: JobRow;
  readonly credential: KeyedCredential;
  readonly wish: Wish;
}

const NoParts = ({ row }: { row: JobRow }) => (
  <NothingYet
    icon={IconBasket}
    title="No parts, so no offers"
    actions={
      <LinkButton small look="primary" href={addPartsHref(row.id)}>
        Add parts
      </LinkButton>
    }
  >
    Add parts to get offers. Until then, the basket is two empty arrays. <Origin of="assumption" id="D43" />
  </NothingYet>
);

const NoOffers = ({ row }: { row: JobRow }) => (
  <NothingYet icon={IconBasketOff} title="No offers for these parts" link={[hrefs.job(row.id, "parts"), "View parts"]}>
    Suppliers match parts by description. Try a known part, such as “Bonnet” or “Front bumper cover”. Parts with
    quantity 0 get no offers.
  </NothingYet>
);

/** The latest basket as a comparison, what is chosen in it, and placing that. */
export const BasketTab = ({ row, credential, wish }: TabProps) => {
  const world = useWorld();
  const parts = useQuery(partsQuery(world, row.id, credential));
  const basket = useQuery(basketQuery(world, row.id, credential));
  return (
    <Read of={parts} what="the parts" rows={6}>
      {({ items }) =>
        items.length === 0 ? (
          <NoParts row={row} />
        ) : (
          <Read of={basket} what="the basket" rows={6}>
            {(answer) =>
              answer.offers.length === 0 ? (
                <NoOffers row={row} />
              ) : (
                <Offers
                  row={row}
                  credential={credential}
                  wish={wish}
                  parts={items}
                  basket={answer}
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

const Offers = ({
  row,
  credential,
  wish,
  parts,
  basket,
  answeredAt,
}: TabProps & { parts: readonly Part[]; basket: Basket; answeredAt: number }) => {
  const table = useMemo(() => basketTable(parts, basket), [parts, basket]);
  const world = useWorld();
  const ordered = useQuery(orderedQuery(world, row.id, credential)).data?.items ?? [];
  const orders = ordered.filter(({ status }) => status !== "cancelled");
  const [again, setAgain] = useState(false);
  const choice = useChoice({ jobId: row.id, table, orders, again });
  const box = useRef<HTMLDivElement>(null);
  const ordersHref = hrefs.job(row.id, "procurements");
  const place = usePlaceOrders(row.id, credential, {
    onSuccess: ({ items }) => {
      choice.choose([]);
      setAgain(false);
      const title = `${plural(items.length, "order")} placed`;
      // In sight they are named above the offers, where a notice would lie over them.
      if (box.current) announce(title);
      else
        notify.done({
          title,
          detail: `${items.length * 2} events.`,
          link: { href: ordersHref, label: "View orders", world },
        });
    },
    onError: (error) => {
      if (!box.current)
        notify.failed("Place orders", error, { href: hrefs.job(row.id, "basket"), label: "Open basket", world });
    },
  });
  const placed = choice.chosen.length === 0 ? place.data?.items : undefined;
  useEffect(() => {
    if (wish.current) wish.current = !standOnOffer(box.current);
  }, [wish]);
  const orderAgain = choice.orderedParts > 0 && <OrderAgain again={again} onAgain={setAgain} />;
  return (
    <div ref={box} className={`col ${styles.basket}`}>
      <Toolbar label="Basket">
        <QuickPicks choice={choice} />
        <span className="grow" />
        <span className={`t12 t3 el ${styles.wide}`} title="OfferV1 has a trade_price and no currency">
          Offers have a price but no currency <Origin of="contract" />
        </span>
        <span className={`t12 t3 nw ${styles.answered}`}>
          Loaded {formatClock(new Date(answeredAt).toISOString())} <Origin of="assumption" id="D43" />
        </span>
      </Toolbar>
      {placed ? (
        <Orders
          key="placed"
          ref={standOnLink}
          label="Orders placed"
          state={<State of="order_requested">{plural(placed.length, "order")} requested</State>}
          orders={placed}
          jobId={row.id}
          className="wait"
        >
          {orderAgain}
          <IconButton small icon={IconX} label="Close" onClick={place.reset} />
        </Orders>
      ) : (
        orderAgain && (
          <Orders
            label="Ordered parts"
            state={<State of="ordered">{orderedWords(choice)}</State>}
            orders={orders}
            jobId={row.id}
            className={`ok ${styles.ordered}`}
          >
            {orderAgain}
          </Orders>
        )
      )}
      <BasketGrid choice={choice}>
        <PlaceBar basket={box} row={row} credential={credential} choice={choice} place={place} />
      </BasketGrid>
    </div>
  );
};

/** One supplier for as much as it has: each with how far that reaches and what it comes to. */
const Singles = ({ choice }: { choice: BasketChoice }) => (
  <Menu position="bottom-start" width={340}>
    <Menu.Target>
      <LibraryButton
        size="xs"
        variant="subtle"
        disabled={choice.singles.length === 0}
        title={choice.singles.length === 0 ? "No offers for the remaining parts" : undefined}
        rightSection={<Icon of={IconChevronDown} size={12} />}
      >
        One supplier
      </LibraryButton>
    </Menu.Target>
    <Menu.Dropdown className={jobs.menu}>
      <Menu.Label>All from one supplier</Menu.Label>
      {choice.singles.map((single) => (
        <Menu.Item key={single.id} onClick={() => choice.choose(single.chosen)}>
          <span className="row">
            <SideGlyph side="supplier" />
            <span className="el grow">{single.name}</span>
            <span className="t12 t3 nw">
              {single.parts} of {choice.openPartIds.length} parts
            </span>
            <Box component="span" miw={72} ta="right">
              {formatAmount(amountText(single.amount))}
            </Box>
          </span>
        </Menu.Item>
      ))}
    </Menu.Dropdown>
  </Menu>
);

/** Choices made for all parts at once; none where nothing is left to choose. */
const QuickPicks = ({ choice }: { choice: BasketChoice }) => {
  const { table, chosen, openPartIds, choose } = choice;
  if (openPartIds.length === 0 && chosen.length === 0) return null;
  return (
    <>
      {openPartIds.length > 0 && (
        <>
          <Button small look="quiet" onClick={() => choose(cheapest(table, openPartIds))}>
            Choose cheapest
          </Button>
          <Button small look="quiet" onClick={() => choose(inBestCondition(table, openPartIds))}>
            Choose best condition
          </Button>
          <Singles choice={choice} />
        </>
      )}
      <Button
        small
        look="quiet"
        disabled={chosen.length === 0}
        title={chosen.length === 0 ? "No offers chosen" : "Clear all chosen offers"}
        onClick={() => choose([])}
      >
        Clear
      </Button>
    </>
  );
};

/** Makes parts that are ordered a choice once more, or takes that back. */
const OrderAgain = ({ again, onAgain }: { again: boolean; onAgain: (again: boolean) => void }) => (
  <Button
    small
    look="quiet"
    icon={IconRepeat}
    title={
      again ? "Hide the offers for ordered parts" : "Choose offers for ordered parts too. They will be ordered again."
    }
    onClick={() => onAgain(!again)}
  >
    {again ? "Exclude ordered parts" : "Order again"}
  </Button>
);

/** So many orders are named; of more the job's tab has the rest. */
const NAMED = 3;

/** The button that was pressed to place is off now: whoever pressed it by keyboard goes on from here. */
const standOnLink = (within: HTMLElement | null) => {
  within?.querySelector("a")?.focus();
  return handsFocusOn(within);
};

interface OrdersProps {
  readonly ref?: Ref<HTMLElement>;
  readonly label: string;
  readonly state: ReactNode;
  readonly orders: readonly BuyerProcurement[];
  readonly jobId: string;
  readonly className: string;
  /** What else there is to do. */
  readonly children: ReactNode;
}

/** A line of orders of the job, with the ways to them. */
const Orders = ({ ref, label, state, orders, jobId, className, children }: OrdersProps) => (
  <section ref={ref} className={`row row-3 ${styles.strip} ${className}`} aria-label={label}>
    {state}
    <span className="row row-3 wrap grow t12">
      {orders.slice(0, NAMED).map(({ id, reference, supplier_business: { name } }) => (
        <span key={id} className="row row-1">
          <TextLink href={hrefs.procurement(id)}>{reference ?? id}</TextLink>
          <span className="t2">{name}</span>
        </span>
      ))}
      {orders.length > NAMED && (
        <TextLink href={hrefs.job(jobId, "procurements")}>{plural(orders.length - NAMED, "more order")}</TextLink>
      )}
    </span>
    {children}
  </section>
);
