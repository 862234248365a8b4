import { useQuery } from "@tanstack/react-query";
import type { RequestRow } from "../../../sandbox/contract/control/rows.ts";
import {
  basketsLatestGet,
  jobsGet,
  procurementsPlace,
  supplierProcurementsConfirm,
} from "../../../sandbox/contract/operations/partner.ts";
import { useCredentials } from "../../app/acting.ts";
import { useWorld } from "../../app/world.ts";
import { deliveryCountQuery, firstDoneQuery, subscriptionsQuery } from "./queries.ts";

export interface Step {
  readonly place: string;
  readonly title: string;
  /** What to do; shown for the step that is next. */
  readonly advice: string;
  readonly go: { readonly href: string; readonly label: string };
  /** What happened, and when; null when it did not happen yet. */
  readonly done: { readonly what: string; readonly at: string; readonly requestId?: string } | null;
}

const calledBy = (row: RequestRow | null | undefined) =>
  row ? { what: row.label ?? row.operation ?? row.path, at: row.at, requestId: row.id } : null;

/** The first steps, each ticked off by what really happened in this world, whoever did it. */
export const useSteps = (): { readonly steps: readonly Step[]; readonly known: boolean } => {
  const world = useWorld();
  const credentials = useCredentials();
  const subscriptions = useQuery(subscriptionsQuery(world));
  const delivered = useQuery(deliveryCountQuery(world, "delivered"));
  const opened = useQuery(firstDoneQuery(world, jobsGet.id));
  const compared = useQuery(firstDoneQuery(world, basketsLatestGet.id));
  const placed = useQuery(firstDoneQuery(world, procurementsPlace.id));
  const confirmed = useQuery(firstDoneQuery(world, supplierProcurementsConfirm.id));
  const installed = credentials.data?.find((credential) => !credential.preloaded);
  const subscription = subscriptions.data?.[0];
  const delivery = delivered.data?.newest;
  const steps: Step[] = [
    {
      place: "install",
      title: "Install an integration",
      go: { href: "/install", label: "Install" },
      advice: "Consent, exchange the code, get a key, an integration id and a webhook secret, as a partner’s app does.",
      done: installed ? { what: installed.organization_name, at: installed.created_at } : null,
    },
    {
      place: "jobs",
      title: "Open a job",
      go: { href: "/jobs", label: "Open jobs" },
      advice: "Pick one of the seeded jobs, or insert your own.",
      done: calledBy(opened.data),
    },
    {
      place: "jobs",
      title: "Look at its basket",
      go: { href: "/jobs", label: "Open jobs" },
      advice: "Parts down, suppliers across: what each offers, in which condition, at which price.",
      done: calledBy(compared.data),
    },
    {
      place: "webhooks",
      title: "Subscribe a receiver",
      go: { href: "/webhooks", label: "Subscribe" },
      advice: "Events are only delivered to addresses that were subscribed before they happened.",
      done: subscription ? { what: subscription.url, at: subscription.created_at } : null,
    },
    {
      place: "jobs",
      title: "Place an order",
      go: { href: "/jobs", label: "Open jobs" },
      advice: "Choose offers in a job’s basket; each supplier gets one procurement, in order_requested.",
      done: calledBy(placed.data),
    },
    {
      place: "procurements",
      title: "Confirm it as the supplier",
      go: { href: "/procurements", label: "Open procurements" },
      advice: "Only the supplier’s key may; the buyer’s is refused. Both sides get an event.",
      done: calledBy(confirmed.data),
    },
    {
      place: "webhooks",
      title: "See a signed delivery arrive",
      go: { href: "/webhooks", label: "Open webhooks" },
      advice: "Its signature is recomputed over the exact bytes, in four steps with a verdict each.",
      done: delivery ? { what: delivery.label, at: delivery.settled_at ?? delivery.created_at } : null,
    },
  ];
  const known = [credentials, subscriptions, delivered, opened, compared, placed, confirmed].every(
    (query) => query.data !== undefined,
  );
  return { steps, known };
};
