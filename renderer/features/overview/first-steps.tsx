import { IconCheck, IconX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { DeliveryRow, RequestRow } from "../../../sandbox/contract/control/rows.ts";
import { drillNames } from "../../../sandbox/contract/drill-names.ts";
import type { PartnerCall } from "../../../sandbox/contract/operations/partner-calls.ts";
import { useCredentials } from "../../app/acting.ts";
import { hrefs } from "../../app/places.ts";
import { touchedBy } from "../../app/touched.tsx";
import { useUi } from "../../app/ui-store.ts";
import { useWorld } from "../../app/world.ts";
import { worldSummaryQuery } from "../../app/world-queries.ts";
import { IconButton, LinkButton } from "../../components/button.tsx";
import { Failing } from "../../components/failing.tsx";
import { Icon } from "../../components/icon.tsx";
import { subscriptionsQuery } from "../../domain/delivery/queries.ts";
import styles from "./overview.module.css";

export interface Step {
  readonly title: string;
  /** Its title where it stands in a row of them. */
  readonly short: string;
  /** What to do; shown for the step that is next. */
  readonly advice: string;
  readonly go: { readonly href: string; readonly label: string };
  readonly done: Done | null;
}

/** What happened first, and when; of a step that did not happen yet there is none. */
export interface Done {
  /** What it was about, by the name a person knows it by. */
  readonly what: string;
  /** Where that is. */
  readonly href?: string;
  /** On the real clock, as the traces beside it; null when that is not kept. */
  readonly at: string | null;
}

const calledBy = (row: RequestRow | undefined): Done | null => {
  if (!row) return null;
  const touched = touchedBy(row);
  return touched ? { what: touched.name, href: touched.href, at: row.at } : { what: row.outcome, at: row.at };
};

/** What is there, with the call that made it: a thing of the world bears only the world's time (D84). */
const madeBy = (what: string | undefined, href: string, row: RequestRow | undefined): Done | null =>
  what === undefined ? null : { what, href, at: row?.at ?? null };

/** The end tells two receivers at one port apart. */
const endOf = (url: string): string => {
  const { host, pathname } = new URL(url);
  return pathname === "/" ? host : `…${pathname}`;
};

const deliveredFirst = (first: DeliveryRow | null | undefined): Done | null =>
  first ? { what: first.label, href: hrefs.delivery(first.id), at: first.ended_at ?? first.created_at } : null;

/** The first steps, each ticked off by what really happened in this world, whoever did it. */
const useSteps = () => {
  const world = useWorld();
  const credentials = useCredentials();
  const subscriptions = useQuery(subscriptionsQuery(world));
  const summarized = useQuery(worldSummaryQuery(world));
  const { data: summary } = summarized;
  const first = (operation: PartnerCall | "webhooks.subscribe") =>
    summary?.first_calls.find((call) => call.operation === operation);
  const installed = credentials.data?.findLast((credential) => !credential.preloaded);
  const subscription = subscriptions.data?.toSorted((one, other) => one.created_at.localeCompare(other.created_at))[0];
  const drilled = summary?.subscriptions.toSorted(
    (one, other) => other.drills_passed - one.drills_passed || other.drills_run - one.drills_run,
  )[0];
  const isOwn = (id: string) =>
    subscriptions.data?.some((one) => one.id === id && one.url.startsWith(`${window.location.origin}/__webhooks/`));
  const steps: Step[] = [
    {
      title: "Install an integration",
      short: "Install",
      go: { href: "/install", label: "Install" },
      advice: "Give consent and exchange the code for an API key, an integration ID and a webhook secret.",
      done: madeBy(installed?.organization_name, "/install", first("integrations.insert")),
    },
    {
      title: "Subscribe a receiver",
      short: "Subscribe",
      go: { href: "/webhooks", label: "Subscribe" },
      advice: "Events are only sent to subscriptions that exist when they happen.",
      done: madeBy(subscription && endOf(subscription.url), "/webhooks", first("webhooks.subscribe")),
    },
    {
      title: "Place an order",
      short: "Place an order",
      go: { href: "/jobs", label: "Open jobs" },
      advice: "Open a job without orders and choose offers in its basket. Each supplier gets one order.",
      done: calledBy(first("repairer.procurements.place")),
    },
    {
      title: "Confirm as the supplier",
      short: "Confirm",
      go: { href: "/procurements", label: "Open orders" },
      advice: "Only the supplier’s key can confirm an order. Both sides get an event.",
      done: calledBy(first("supplier.procurements.confirm")),
    },
    {
      title: "Receive a signed delivery",
      short: "Receive a webhook",
      go: { href: "/webhooks", label: "Open webhooks" },
      advice: "The signature is recomputed over the exact bytes and checked in four steps.",
      done: deliveredFirst(summary?.deliveries.first_delivered),
    },
    {
      title: "Test the receiver with drills",
      short: "Test with drills",
      go: { href: subscription ? hrefs.subscription(subscription.id) : "/webhooks", label: "Open drills" },
      advice: `Run all ${drillNames.length}. Each repeats or varies a notification, or makes one deliberate mistake.${drilled && drilled.drills_run > 0 ? ` ${drilled.drills_passed} of ${drilled.drills_run} passed so far.` : ""}`,
      done:
        drilled?.drills_passed === drillNames.length
          ? {
              what: `all ${drilled.drills_passed} passed${isOwn(drilled.id) ? " on the sandbox’s own receiver" : ""}`,
              href: `/webhooks/subscriptions/${drilled.id}`,
              at: null,
            }
          : null,
    },
  ];
  return { steps, missing: [credentials, subscriptions, summarized].filter(({ data }) => data === undefined) };
};

interface StepItemProps {
  readonly step: Step;
  readonly number: number;
  readonly isNext: boolean;
}

const StepItem = ({ step: { title, short, advice, done }, number, isNext }: StepItemProps) => {
  const stands = done ? `, done: ${done.what}` : `, to do${isNext ? `. ${advice}` : ""}`;
  const said = (
    <>
      {title}
      <span className="sr">{stands}</span>
    </>
  );
  return (
    <li
      data-done={done !== null}
      aria-current={isNext ? "step" : undefined}
      title={done ? `${title}: ${done.what}` : advice}
    >
      <span className={styles.number} aria-hidden="true">
        {done ? <Icon of={IconCheck} size={12} /> : number}
      </span>
      {isNext ? (
        <span>{said}</span>
      ) : (
        <>
          <span className={styles.short} aria-hidden="true">
            {short}
          </span>
          <span className="sr">{said}</span>
        </>
      )}
    </li>
  );
};

/** In the place of steps of which is not known yet which are done, or cannot be known. */
const Waiting = ({ for: missing }: { for: ReturnType<typeof useSteps>["missing"] }) => {
  const failed = missing.filter(({ error }) => error !== null);
  if (failed[0] === undefined) return null;
  const again = () => {
    for (const { refetch } of failed) void refetch();
  };
  return <Failing what="the first steps" error={failed[0].error} onRetry={again} />;
};

/** What to do first, ticked off by what really happened; the next one with the way to it. */
export const FirstSteps = () => {
  const { steps, missing } = useSteps();
  const hideSteps = useUi((state) => state.hideSteps);
  const next = steps.findIndex((step) => !step.done);
  const go = steps[next]?.go;
  return (
    <section className={styles.steps} aria-label="First steps">
      <h2>First steps</h2>
      {missing.length === 0 ? (
        <ol>
          {steps.map((step, index) => (
            <StepItem key={step.title} step={step} number={index + 1} isNext={index === next} />
          ))}
        </ol>
      ) : (
        <Waiting for={missing} />
      )}
      {missing.length === 0 && go && (
        <LinkButton small href={go.href}>
          {go.label}
        </LinkButton>
      )}
      <IconButton small look="quiet" icon={IconX} label="Hide first steps" onClick={() => hideSteps(true)} />
    </section>
  );
};
