import { Group, Switch, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type {
  Counterpart,
  CounterpartRule,
  DueAct,
  EndedAct,
} from "../../../../sandbox/contract/control/counterpart-operations.ts";
import type { Organization, Side } from "../../../../sandbox/contract/control/rows.ts";
import { Button } from "../../../components/button.tsx";
import { TextLink } from "../../../components/link.tsx";
import { Read } from "../../../components/read.tsx";
import { Section } from "../../../components/section.tsx";
import { SelectField } from "../../../components/select-field.tsx";
import { SideGlyph } from "../../../components/side.tsx";
import { Time } from "../../../components/time.tsx";
import { hrefs } from "../../../kernel/addresses/hrefs.ts";
import { useCredentials } from "../../../kernel/credentials/acting.ts";
import { worldKeys } from "../../../kernel/queries/query-keys.ts";
import { useAct, useControl } from "../../../kernel/queries/use-act.ts";
import { organizationsQuery } from "../../../kernel/queries/world-queries.ts";
import { useWorld } from "../../../kernel/world/world.ts";
import { controlQuery } from "../../../lib/control-query.ts";
import { formatSpan, plural } from "../../../lib/formatting.ts";
import { callControl } from "../../../lib/service-client.ts";
import { hasScope } from "../../../lib/world-access.ts";
import { useNowValue } from "../../../lib/world-clock.ts";
import { WorldPage } from "../world-page.tsx";
import { behaviourChoice, buyerChoices, type Choice, choicesWith, rulesWith, supplierChoices } from "./behaviours.ts";
import styles from "./counterparts.module.css";
import { TestValues } from "./test-values.tsx";

const dueQuery = (world: string) => controlQuery(worldKeys(world).counterparts(), "counterparts.due", { world });

/** Orders that wait for a confirmation: one page, so at most 500 are counted. */
const requestedQuery = (world: string) =>
  controlQuery(worldKeys(world).procurements("requested"), "procurements.list", {
    world,
    status: "order_requested",
    limit: 500,
  });

const counterpartChanges = { changes: ["counterparts"] } as const;

/** Replaces the rules, read once more, so that none of another window or program is lost. */
const useChangedRules = () =>
  useAct(
    async (world, change: (rules: readonly Counterpart[]) => { rules: CounterpartRule[]; on: boolean }) => {
      const { items } = await callControl("counterparts.list", { world });
      return callControl("counterparts.set", { world, ...change(items) });
    },
    { ...counterpartChanges, failed: "Change the counterpart" },
  );

const doing: Readonly<Record<DueAct["does"], string>> = {
  confirm: "confirms",
  cancel: "cancels",
  order: "orders",
  notify: "notifies",
};

/** The time left of a rule's whole delay. */
const Ring = ({ act, rule: { after_seconds, every_seconds = 300 } }: { act: DueAct; rule: Counterpart }) => {
  const whole = Math.max(1, (act.does === "order" ? every_seconds : (after_seconds ?? 0)) * 1_000);
  const left = useNowValue("world", (ms) => Math.round((100 * (Date.parse(act.due_at) - ms)) / whole));
  return (
    <svg className={styles.ring} data-does={act.does} viewBox="0 0 16 16" aria-hidden="true">
      <circle cx="8" cy="8" r="6" />
      <circle cx="8" cy="8" r="6" pathLength="100" strokeDasharray={`${Math.max(0, Math.min(100, left))} 100`} />
    </svg>
  );
};

interface NextActProps {
  readonly act: DueAct;
  /** Of the act; undefined for a test value. */
  readonly rule: Counterpart | undefined;
  /** The supplier of a buyer's order. */
  readonly from: string | undefined;
}

/** The next act with its countdown. */
const NextAct = ({ act, rule, from }: NextActProps) => {
  const now = useControl("counterparts.now", { ...counterpartChanges, failed: "Act now" });
  const left = useNowValue("world", (ms) => {
    const until = Date.parse(act.due_at) - ms;
    return until > 0 ? formatSpan(until) : "now";
  });
  const what = `${doing[act.does]} ${act.does === "order" && from !== undefined ? `from ${from}` : (act.label ?? "")}`;
  return (
    <Group component="span" className={styles.next} gap={8}>
      {rule && <Ring act={act} rule={rule} />}
      <Text component="b" fw={600} textWrap="nowrap">
        {left}
      </Text>
      <Text c="secondary" flex="0 1 auto" truncate title={what}>
        {what}
      </Text>
      <Button small look="quiet" needs="manage" busy={now.isPending} onClick={() => now.mutate({ id: act.id })}>
        Now<span className="sr"> for {act.organization.name}</span>
      </Button>
    </Group>
  );
};

const did: Readonly<Record<EndedAct["does"], string>> = {
  confirm: "Confirmed",
  cancel: "Cancelled",
  order: "Placed",
  notify: "Notified",
};

const actWords = ({ does, label, outcome, sentence }: EndedAct): string => {
  if (label === null) return sentence;
  return outcome === "done" ? `${did[does]} ${label}` : `${label}: ${sentence}`;
};

/** The last act. */
const LastAct = ({ act }: { act: EndedAct }) => {
  const words = actWords(act);
  return (
    <Group gap="0 8px">
      {act.trace_id === null ? (
        <Text c="secondary">{words}</Text>
      ) : (
        <TextLink href={hrefs.request(act.trace_id)}>{words}</TextLink>
      )}
      <Text variant="note">
        <Time at={act.ended_at} on="real" />
      </Text>
    </Group>
  );
};

/** The number of orders that wait without a rule. */
const Waiting = ({ count, never }: { count: number; never: boolean }) => {
  if (count === 0) return null;
  const orders = plural(count, "order");
  if (never) return <Text c="secondary">{`${orders} ${count === 1 ? "stays" : "stay"} requested`}</Text>;
  return <Text c="secondary">{`${orders} ${count === 1 ? "waits" : "wait"} for you`}</Text>;
};

interface RowProps {
  readonly organization: Organization;
  /** True if a program of its own calls for it. */
  readonly isYours: boolean;
  readonly choices: readonly Choice[];
  readonly rule: Counterpart | undefined;
  readonly next: DueAct | undefined;
  readonly last: EndedAct | undefined;
  /** The number of received orders that are still requested; at most 500 of all organizations are counted. */
  readonly waiting: number;
  /** The supplier of its orders. */
  readonly from: string | undefined;
  readonly onChoose: (behaviour: Choice["behaviour"]) => void;
}

/** An organization: its rule, its next and its last act. */
const Row = ({ organization, isYours, choices, rule, next, last, waiting, from, onChoose }: RowProps) => {
  const all = choicesWith(choices, rule, from);
  return (
    <li className={styles.row}>
      <Text className={styles.who} fw={500} aria-hidden="true">
        <SideGlyph side={organization.scope} /> {organization.name} {isYours && <Text variant="note">yours</Text>}
      </Text>
      <div>
        <SelectField
          label={
            <span className="sr">
              {organization.name}
              {isYours && ", yours"}
            </span>
          }
          value={rule ? behaviourChoice(rule) : "manual"}
          options={all.map(({ value, label }) => ({ value, label }))}
          disabled={!hasScope("manage")}
          onChange={(value) => onChoose(all.find((one) => one.value === value)?.behaviour ?? null)}
        />
      </div>
      <div>
        {next ? (
          <NextAct act={next} rule={next.rule_id === rule?.id ? rule : undefined} from={from} />
        ) : rule?.finished ? (
          <Text c="secondary">{rule.done === 1 ? "Its order is placed" : `All ${rule.done} orders placed`}</Text>
        ) : (
          <Waiting count={waiting} never={rule?.does === "never" && rule.off === null} />
        )}
        {rule?.off && !rule.off.with_all && (
          <Text component="p" c="var(--bad-text)">
            Turned off: {rule.off.sentence}{" "}
            {rule.off.trace_id !== null && <TextLink href={hrefs.request(rule.off.trace_id)}>The call</TextLink>}
          </Text>
        )}
      </div>
      <div>
        {last ? (
          <LastAct act={last} />
        ) : (
          rule && <Text c="dimmed">{rule.done === 0 ? "Nothing yet" : `${plural(rule.done, "act")} done`}</Text>
        )}
      </div>
    </li>
  );
};

interface Acting {
  readonly rules: readonly Counterpart[];
  readonly items: readonly DueAct[];
  readonly ended: readonly EndedAct[];
}

/** With more of them, a filter appears. */
const MAX_UNFILTERED = 8;

const Organizations = ({ acting, of }: { acting: Acting; of: readonly Organization[] }) => {
  const { rules, items, ended } = acting;
  const { data: requested } = useQuery(requestedQuery(useWorld()));
  const { data: credentials = [] } = useCredentials();
  const [filter, setFilter] = useState("");
  const set = useChangedRules();
  const isYours = ({ id }: Organization) =>
    credentials.some(({ organization_id, preloaded }) => organization_id === id && !preloaded);
  const inSection = (scope: Side) =>
    of
      .filter((one) => one.scope === scope)
      .filter((one) => isYours(one) || one.name.toLowerCase().includes(filter.trim().toLowerCase()))
      .toSorted((one, other) => Number(isYours(other)) - Number(isYours(one)));
  const suppliers = of.filter(({ scope }) => scope === "supplier");
  const rowOf = (choices: readonly Choice[]) => (organization: Organization) => {
    const rule = rules.find((one) => one.organization_id === organization.id);
    return (
      <Row
        key={organization.id}
        organization={organization}
        isYours={isYours(organization)}
        choices={choices}
        rule={rule}
        waiting={requested?.items.filter(({ supplier }) => supplier.organization_id === organization.id).length ?? 0}
        from={suppliers.find(({ id }) => id === rule?.supplier_id)?.name}
        next={items.find((act) => act.organization.id === organization.id && act.does !== "notify")}
        last={ended.find((act) => act.organization.id === organization.id && act.does !== "notify")}
        onChoose={(behaviour) =>
          set.mutate((current) => ({
            rules: rulesWith(current, organization.id, behaviour),
            on: !current.some(({ off }) => off?.with_all),
          }))
        }
      />
    );
  };
  return (
    <>
      <Group p="8px 16px" gap="8px 16px" wrap="wrap">
        <Text component="p" variant="note" flex="1 1 400px">
          Let the other side play along. Each act is a call on record with a trace. A test value of the job comes first.
        </Text>
        {of.length > MAX_UNFILTERED && (
          <TextInput
            type="search"
            aria-label="Filter counterparts"
            placeholder="Name"
            value={filter}
            onChange={({ currentTarget }) => setFilter(currentTarget.value)}
          />
        )}
        <Switch
          label="On in this world"
          checked={rules.some(({ off }) => off === null)}
          disabled={rules.length === 0 || !hasScope("manage")}
          onChange={({ currentTarget: { checked: on } }) =>
            set.mutate((current) => ({ rules: rulesWith(current, "", null), on }))
          }
        />
      </Group>
      <div className={styles.heads} aria-hidden="true">
        <span>Who</span>
        <span>Behaviour</span>
        <span>Next action</span>
        <span>Last action</span>
      </div>
      <Section title="Suppliers" note="answer the orders they receive">
        <ul>{inSection("supplier").map(rowOf(supplierChoices))}</ul>
      </Section>
      <Section title="Buyers" note="order from a supplier">
        <ul>{inSection("repairer").map(rowOf(buyerChoices(suppliers)))}</ul>
      </Section>
    </>
  );
};

const CurrentWorldCounterparts = ({ world }: { world: string }) => {
  const due = useQuery(dueQuery(world));
  const { data: organizations = [] } = useQuery(organizationsQuery(world));
  return (
    <>
      <Read of={due} what="counterparts" rows={6}>
        {(acting) => <Organizations acting={acting} of={organizations.filter(({ scope }) => scope !== null)} />}
      </Read>
      <TestValues />
    </>
  );
};

/** The counterparts of a world. */
export const CounterpartsPage = ({ name }: { name: string }) => (
  <WorldPage name={name} of="Counterparts">
    <CurrentWorldCounterparts world={name} />
  </WorldPage>
);
