import { IconRepeat } from "@tabler/icons-react";
import type { BuyerProcurement } from "../../../../sandbox/contract/resources/procurement.ts";
import { hrefs } from "../../../app/places.ts";
import { Button } from "../../../components/button.tsx";
import { TextLink } from "../../../components/link.tsx";
import { State } from "../../../components/state.tsx";
import { plural } from "../../../lib/formatting.ts";
import { orderedWords } from "./basket-words.ts";
import type { BasketChoice } from "./use-choice.ts";

/** So many orders are named; of more the job's tab has the rest. */
const NAMED = 3;

/** Makes parts that are ordered a choice once more, or takes that back. */
export const OrderAgain = ({ again, onAgain }: { again: boolean; onAgain: (again: boolean) => void }) => (
  <Button
    small
    look="quiet"
    icon={IconRepeat}
    title={
      again
        ? "Offers for parts that are ordered are no choice any more"
        : "Offers for parts that are ordered can be chosen too: another order is placed for them"
    }
    onClick={() => onAgain(!again)}
  >
    {again ? "Leave out what is ordered" : "Order again"}
  </Button>
);

interface OrderedProps {
  readonly choice: BasketChoice;
  readonly jobId: string;
  /** The orders that cover them; empty while they are not known. */
  readonly orders: readonly BuyerProcurement[];
  readonly again: boolean;
  readonly onAgain: (again: boolean) => void;
}

/** What of the job is ordered already, and the ways to its orders. */
export const Ordered = ({ choice, jobId, orders, again, onAgain }: OrderedProps) => (
  <section className="jobs-ordered row" aria-label="What is ordered">
    <State of="ordered">{orderedWords(choice)}</State>
    <span className="row row-3 wrap grow t12">
      {orders.slice(0, NAMED).map((one) => (
        <span key={one.id} className="row row-1">
          <TextLink href={hrefs.procurement(one.id)}>{one.reference ?? one.id}</TextLink>
          <span className="t2">{one.supplier_business.name}</span>
        </span>
      ))}
      {orders.length > NAMED && (
        <TextLink href={hrefs.job(jobId, "procurements")}>{plural(orders.length - NAMED, "more order")}</TextLink>
      )}
    </span>
    <OrderAgain again={again} onAgain={onAgain} />
  </section>
);
