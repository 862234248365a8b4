import { IconBasket, IconBasketOff } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useRef, useState } from "react";
import type { JobRow } from "../../../../sandbox/contract/control/rows.ts";
import type { Basket } from "../../../../sandbox/contract/resources/basket.ts";
import type { Part } from "../../../../sandbox/contract/resources/job.ts";
import type { BuyerProcurement } from "../../../../sandbox/contract/resources/procurement.ts";
import type { KeyedCredential } from "../../../app/acting.ts";
import { hrefs } from "../../../app/places.ts";
import { useWorld } from "../../../app/world.ts";
import { LinkButton } from "../../../components/button.tsx";
import { NothingYet } from "../../../components/empty.tsx";
import { Origin } from "../../../components/origin.tsx";
import { Read } from "../../../components/read.tsx";
import { Toolbar } from "../../../components/section.tsx";
import { Segmented } from "../../../components/tabs.tsx";
import { formatClock } from "../../../lib/formatting.ts";
import { addPartsHref } from "../detail/addresses.ts";
import { type Entry, useEntered } from "../detail/entry.ts";
import { useJobs } from "../jobs-store.ts";
import { usePlaceOrders } from "../mutations.ts";
import { basketQuery, orderedQuery, partsQuery, useConfirmable } from "../queries.ts";
import { BasketGrid } from "./basket-grid.tsx";
import { BasketList } from "./basket-list.tsx";
import { basketTable } from "./basket-table.ts";
import { OrderAgain, Ordered } from "./ordered.tsx";
import { PlaceBar } from "./place-bar.tsx";
import { Placed } from "./placed.tsx";
import { QuickPicks } from "./quick-picks.tsx";
import { useChoice } from "./use-choice.ts";

interface TabProps {
  readonly row: JobRow;
  readonly credential: KeyedCredential;
  /** How often the tab was asked for by hand; each time the focus goes to its offers, as soon as there are some. */
  readonly entry: Entry;
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
    A basket has offers as soon as its job has parts <Origin of="assumption" id="D43" />. Without parts the answer is
    two empty arrays.
  </NothingYet>
);

const NoOffers = ({ row }: { row: JobRow }) => (
  <NothingYet
    icon={IconBasketOff}
    title="No supplier offers anything for these parts"
    actions={
      <LinkButton small href={hrefs.job(row.id, "parts")}>
        See the parts
      </LinkButton>
    }
  >
    Suppliers answer by a part’s description, the same way every time; a part of quantity 0 gets no offer. Parts they
    know, such as “Bonnet” or “Front bumper cover”, get some.
  </NothingYet>
);

/** The latest basket as a comparison, what is chosen in it, and placing that. */
export const BasketTab = ({ row, credential, entry }: TabProps) => {
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
                  entry={entry}
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

const live = (orders: readonly BuyerProcurement[]) => orders.filter(({ status }) => status !== "cancelled");

const Offers = ({
  row,
  credential,
  entry,
  parts,
  basket,
  answeredAt,
}: TabProps & { parts: readonly Part[]; basket: Basket; answeredAt: number }) => {
  const { basketView, setBasketView } = useJobs();
  const table = useMemo(() => basketTable(parts, basket), [parts, basket]);
  const ordered = useQuery(orderedQuery(useWorld(), row.id, credential)).data?.items;
  const orders = useMemo(() => live(ordered ?? []), [ordered]);
  const [again, setAgain] = useState(false);
  const choice = useChoice({ jobId: row.id, table, orders, again });
  const confirmable = useConfirmable();
  const place = usePlaceOrders(row.id, credential);
  const placed = choice.chosen.length === 0 ? place.data?.items : undefined;
  const box = useRef<HTMLDivElement>(null);
  useEntered(entry, () => {
    const offer = box.current?.querySelector<HTMLElement>("[data-offer][tabindex='0'], .jobs-offer-list [role=radio]");
    offer?.focus();
    return offer !== undefined;
  });
  return (
    <div ref={box} className="jobs-basket">
      <Toolbar label="Basket">
        <Segmented
          label="Show the basket as"
          value={basketView}
          onChange={setBasketView}
          options={[
            { value: "compare", label: "Compare" },
            { value: "list", label: "List" },
          ]}
        />
        <QuickPicks choice={choice} />
        <span className="grow" />
        <span className="t12 t3 el jobs-wide" title="OfferV1 has a trade_price and no currency">
          Offers carry a price but no currency <Origin of="contract" />
        </span>
        <span className="t12 t3 nw jobs-answered">
          Answered {formatClock(new Date(answeredAt).toISOString())} <Origin of="assumption" id="D43" />
        </span>
      </Toolbar>
      {placed ? (
        <Placed placed={placed} jobId={row.id} onClose={place.reset}>
          {choice.orderedParts > 0 && <OrderAgain again={again} onAgain={setAgain} />}
        </Placed>
      ) : (
        choice.orderedParts > 0 && (
          <Ordered choice={choice} jobId={row.id} orders={orders} again={again} onAgain={setAgain} />
        )
      )}
      {basketView === "compare" ? (
        <BasketGrid choice={choice} confirmable={confirmable} />
      ) : (
        <BasketList choice={choice} />
      )}
      <PlaceBar
        row={row}
        credential={credential}
        choice={choice}
        confirmable={confirmable}
        place={place}
        onPlaced={() => setAgain(false)}
      />
    </div>
  );
};
