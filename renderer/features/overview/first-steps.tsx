import { IconCheck, IconX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { RequestRow } from "../../../sandbox/contract/control/rows.ts";
import { drillNames } from "../../../sandbox/contract/drill-names.ts";
import type { PartnerCall } from "../../../sandbox/contract/operations/partner-calls.ts";
import { IconButton, LinkButton } from "../../components/button.tsx";
import { Failing } from "../../components/failing.tsx";
import { Icon } from "../../components/icon.tsx";
import { subscriptionsQuery } from "../../domain/delivery/queries.ts";
import { touchedRecord } from "../../domain/exchange/touched.tsx";
import { hrefs } from "../../kernel/addresses/hrefs.ts";
import { useCredentials } from "../../kernel/credentials/acting.ts";
import { worldSummaryQuery } from "../../kernel/queries/world-queries.ts";
import { useUi } from "../../kernel/stores/ui-store.ts";
import { useWorld } from "../../kernel/world/world.ts";
import styles from "./overview.module.css";

interface FirstStep {
  readonly title: string;
  /** Title in the row of steps. */
  readonly short: string;
  /** Instruction, shown for the next step. */
  readonly advice: string;
  readonly go: { readonly href: string; readonly label: string };
  /** The label of the first occurrence; null before it. */
  readonly done: string | null;
}

/** Name of the job or order that a call touched, or the call's outcome. */
const recordLabel = (row: RequestRow | undefined): string | null =>
  row ? (touchedRecord(row)?.name ?? row.outcome) : null;

/** The end of a URL distinguishes two receivers on one port. */
const urlEnd = (url: string): string => {
  const { host, pathname } = new URL(url);
  return pathname === "/" ? host : `…${pathname}`;
};

/** The first steps, each completed by any caller's real calls in this world. */
const useSteps = () => {
  const world = useWorld();
  const credentials = useCredentials();
  const subscriptions = useQuery(subscriptionsQuery(world));
  const summarized = useQuery(worldSummaryQuery(world));
  const { data: summary } = summarized;
  const first = (operation: PartnerCall) => summary?.first_calls.find((call) => call.operation === operation);
  const installed = credentials.data?.findLast((credential) => !credential.preloaded);
  const subscription = subscriptions.data?.toSorted((one, other) => one.created_at.localeCompare(other.created_at))[0];
  const drilled = summary?.subscriptions.toSorted(
    (one, other) => other.drills_passed - one.drills_passed || other.drills_run - one.drills_run,
  )[0];
  const isOwn = (id: string) =>
    subscriptions.data?.some((one) => one.id === id && one.url.startsWith(`${window.location.origin}/__webhooks/`));
  const steps: FirstStep[] = [
    {
      title: "Install your own integration",
      short: "Install",
      go: { href: "/install", label: "Install" },
      advice: "Give consent and exchange the code for an API key, an integration ID and a webhook secret.",
      done: installed?.organization_name ?? null,
    },
    {
      title: "Subscribe a receiver",
      short: "Subscribe",
      go: { href: "/webhooks", label: "Subscribe" },
      advice: "Events are only sent to subscriptions that exist when they happen.",
      done: subscription ? urlEnd(subscription.url) : null,
    },
    {
      title: "Place an order",
      short: "Place an order",
      go: { href: "/jobs", label: "Open jobs" },
      advice: "Open a job without orders and choose offers in its basket. Each supplier gets one order.",
      done: recordLabel(first("repairer.procurements.place")),
    },
    {
      title: "Confirm as the supplier",
      short: "Confirm",
      go: { href: "/procurements", label: "Open orders" },
      advice: "Only the supplier’s key can confirm an order. Both sides get an event.",
      done: recordLabel(first("supplier.procurements.confirm")),
    },
    {
      title: "Receive a signed delivery",
      short: "Receive a webhook",
      go: { href: "/webhooks", label: "Open webhooks" },
      advice: "The signature is recomputed over the exact bytes and checked in four steps.",
      done: summary?.deliveries.first_delivered?.label ?? null,
    },
    {
      title: "Test the receiver with drills",
      short: "Test with drills",
      go: { href: subscription ? hrefs.subscription(subscription.id) : "/webhooks", label: "Open drills" },
      advice: `Run all ${drillNames.length}. Each repeats or varies a notification, or makes one deliberate mistake.${drilled && drilled.drills_run > 0 ? ` ${drilled.drills_passed} of ${drilled.drills_run} passed so far.` : ""}`,
      done:
        drilled?.drills_passed === drillNames.length
          ? `all ${drilled.drills_passed} passed${isOwn(drilled.id) ? " on the sandbox’s own receiver" : ""}`
          : null,
    },
  ];
  return { steps, missing: [credentials, subscriptions, summarized].filter(({ data }) => data === undefined) };
};

interface StepItemProps {
  readonly step: FirstStep;
  readonly number: number;
  readonly isNext: boolean;
}

const StepItem = ({ step: { title, short, advice, done }, number, isNext }: StepItemProps) => {
  const statusText = done ? `, done: ${done}` : `, to do${isNext ? `. ${advice}` : ""}`;
  const stepLabel = (
    <>
      {title}
      <span className="sr">{statusText}</span>
    </>
  );
  return (
    <li
      data-done={done !== null}
      aria-current={isNext ? "step" : undefined}
      title={done ? `${title}: ${done}` : advice}
    >
      <span className={styles.number} aria-hidden="true">
        {done ? <Icon of={IconCheck} size={12} /> : number}
      </span>
      {isNext ? (
        <span>{stepLabel}</span>
      ) : (
        <>
          <span className={styles.short} aria-hidden="true">
            {short}
          </span>
          <span className="sr">{stepLabel}</span>
        </>
      )}
    </li>
  );
};

/** Replaces the steps while their state is loading or unavailable. */
const Waiting = ({ for: missing }: { for: ReturnType<typeof useSteps>["missing"] }) => {
  const failed = missing.filter(({ error }) => error !== null);
  if (failed[0] === undefined) return null;
  const again = () => {
    for (const { refetch } of failed) void refetch();
  };
  return <Failing what="the first steps" error={failed[0].error} onRetry={again} />;
};

/** The first steps with their state; the next one has a link. */
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
