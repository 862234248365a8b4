import { Box, Group, Text, Timeline } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
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
import { Button, LinkButton } from "../../components/button.tsx";
import { Failing } from "../../components/failing.tsx";
import { Icon } from "../../components/icon.tsx";
import { TextLink } from "../../components/link.tsx";
import { Skeletons } from "../../components/read.tsx";
import { Time } from "../../components/time.tsx";
import { subscriptionsQuery } from "../../domain/delivery/queries.ts";

export interface Step {
  readonly title: string;
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
      go: { href: "/install", label: "Install" },
      advice: "Give consent and exchange the code for an API key, an integration ID and a webhook secret.",
      done: madeBy(installed?.organization_name, "/install", first("integrations.insert")),
    },
    {
      title: "Subscribe a receiver",
      go: { href: "/webhooks", label: "Subscribe" },
      advice: "Events are only sent to subscriptions that exist when they happen.",
      done: madeBy(subscription && endOf(subscription.url), "/webhooks", first("webhooks.subscribe")),
    },
    {
      title: "Place an order",
      go: { href: "/jobs", label: "Open jobs" },
      advice: "Open a job without orders and choose offers in its basket. Each supplier gets one order.",
      done: calledBy(first("repairer.procurements.place")),
    },
    {
      title: "Confirm as the supplier",
      go: { href: "/procurements", label: "Open orders" },
      advice: "Only the supplier’s key can confirm an order. Both sides get an event.",
      done: calledBy(first("supplier.procurements.confirm")),
    },
    {
      title: "Receive a signed delivery",
      go: { href: "/webhooks", label: "Open webhooks" },
      advice: "The signature is recomputed over the exact bytes and checked in four steps.",
      done: deliveredFirst(summary?.deliveries.first_delivered),
    },
    {
      title: "Test the receiver with drills",
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

/** What a step came to, and when. */
const What = ({ done: { what, href, at } }: { done: Done }) => (
  <Group variant="aside" component="span" gap="xs" miw={0} style={{ whiteSpace: "nowrap" }}>
    <Text truncate title={what}>
      {href === undefined ? what : <TextLink href={href}>{what}</TextLink>}
    </Text>
    {at !== null && (
      <>
        <span aria-hidden="true">·</span>
        <Time at={at} as="clock" on="real" />
      </>
    )}
  </Group>
);

interface StepRowProps {
  readonly step: Step;
  readonly number: number;
  readonly isNext: boolean;
}

const StepRow = ({ step: { title, advice, go, done }, number, isNext, ...item }: StepRowProps) => (
  <Timeline.Item
    {...item}
    data-done={done !== null}
    aria-current={isNext ? "step" : undefined}
    bullet={<span aria-hidden="true">{done ? <Icon of={IconCheck} size={12} /> : number}</span>}
    title={
      <Group justify="space-between">
        <Text flex="none" fw={done ? 400 : 500} c={done ? "secondary" : "bright"}>
          {title}
          <span className="sr">{done ? ", done" : ", to do"}</span>
        </Text>
        {done && <What done={done} />}
        {isNext && (
          <LinkButton small href={go.href}>
            {go.label}
          </LinkButton>
        )}
      </Group>
    }
  >
    {isNext && (
      <Text component="p" variant="note">
        {advice}
      </Text>
    )}
  </Timeline.Item>
);

/** In the place of steps of which is not known yet which are done, or cannot be known. */
const Waiting = ({ for: missing }: { for: ReturnType<typeof useSteps>["missing"] }) => {
  const failed = missing.filter(({ error }) => error !== null);
  if (failed[0] === undefined) return <Skeletons what="first steps" rows={5} />;
  const again = () => {
    for (const { refetch } of failed) void refetch();
  };
  return <Failing what="the first steps" error={failed[0].error} onRetry={again} />;
};

/** What to do first, ticked off by what really happened. */
export const FirstSteps = () => {
  const { steps, missing } = useSteps();
  const known = missing.length === 0;
  const hideSteps = useUi((state) => state.hideSteps);
  const done = steps.filter((step) => step.done).length;
  const next = steps.findIndex((step) => !step.done);
  return (
    <section className="scroll" aria-label="First steps">
      <Group px="xl" mih={40}>
        <h2 className="h2">First steps</h2>
        {known && (
          <Text variant="aside">
            {done} of {steps.length}
          </Text>
        )}
        <Group component="span" ml="auto">
          <Button look="quiet" small onClick={() => hideSteps(true)}>
            Hide
          </Button>
        </Group>
      </Group>
      <Box variant="note" component="p" pt={0} px="xl" pb="sm">
        A sandbox of the integrations API. It answers your calls as the contract says and shows what each call did.
      </Box>
      {known ? (
        <>
          <Timeline px="xl" pb="md" ml={10}>
            {steps.map((step, index) => (
              <StepRow key={step.title} step={step} number={index + 1} isNext={index === next} />
            ))}
          </Timeline>
          {next === -1 && (
            <Box className="note" component="p" py="sm" px="xl">
              You completed all steps. Next, give your own program a key in Install and subscribe its receiver in
              Webhooks.
            </Box>
          )}
        </>
      ) : (
        <Waiting for={missing} />
      )}
    </section>
  );
};
