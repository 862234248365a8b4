import { Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Counterpart, DueAct, EndedAct } from "../../../../sandbox/contract/control/counterpart-operations.ts";
import type { Organization } from "../../../../sandbox/contract/control/rows.ts";
import { testValueExamples } from "../../../../sandbox/contract/test-values.ts";
import { Button } from "../../../components/button.tsx";
import { CopyButton } from "../../../components/copy-button.tsx";
import { TextLink } from "../../../components/link.tsx";
import { Read } from "../../../components/read.tsx";
import { Section } from "../../../components/section.tsx";
import { SelectField } from "../../../components/select-field.tsx";
import { SideGlyph } from "../../../components/side.tsx";
import { Time } from "../../../components/time.tsx";
import { hrefs } from "../../../kernel/addresses/hrefs.ts";
import { worldKeys } from "../../../kernel/queries/query-keys.ts";
import { useControl } from "../../../kernel/queries/use-act.ts";
import { organizationsQuery } from "../../../kernel/queries/world-queries.ts";
import { useWorld } from "../../../kernel/world/world.ts";
import { controlQuery } from "../../../lib/control-query.ts";
import { formatSpan, plural } from "../../../lib/formatting.ts";
import { hasScope } from "../../../lib/world-access.ts";
import { useNowValue } from "../../../lib/world-clock.ts";
import { WorldPage } from "../world-page.tsx";
import { behaviourChoice, buyerChoices, type Choice, choicesWith, rulesWith, supplierChoices } from "./behaviours.ts";
import styles from "./counterparts.module.css";

const dueQuery = (world: string) => controlQuery(worldKeys(world).counterparts(), "counterparts.due", { world });

/** Orders that wait for a confirmation: one page, so at most 500 are counted. */
const requestedQuery = (world: string) =>
  controlQuery(worldKeys(world).procurements("requested"), "procurements.list", {
    world,
    status: "order_requested",
    limit: 500,
  });

const counterpartChanges = { changes: ["counterparts"] } as const;

const doing: Readonly<Record<DueAct["does"], string>> = {
  confirm: "confirms",
  cancel: "cancels",
  order: "orders",
  notify: "notifies",
};

/** The next act with its countdown. @param from the supplier of a buyer's order */
const NextAct = ({ act, from }: { act: DueAct; from: string | undefined }) => {
  const now = useControl("counterparts.now", { ...counterpartChanges, failed: "Act now" });
  const left = useNowValue("world", (ms) => {
    const until = Date.parse(act.due_at) - ms;
    return until > 0 ? formatSpan(until) : "now";
  });
  return (
    <Group component="span" gap={8} align="baseline" wrap="wrap">
      <Text component="b" fw={600} textWrap="nowrap">
        {left}
      </Text>
      <Text c="secondary" textWrap="nowrap">
        {doing[act.does]} {act.does === "order" && from !== undefined ? `from ${from}` : act.label}
      </Text>
      <Button small look="quiet" needs="manage" busy={now.isPending} onClick={() => now.mutate({ id: act.id })}>
        Now<span className="sr"> for {act.organization.name}</span>
      </Button>
    </Group>
  );
};

/** The last act. */
const LastAct = ({ act }: { act: EndedAct }) => {
  const words = act.label === null ? act.sentence : `${act.label}: ${act.sentence}`;
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
const Row = ({ organization, choices, rule, next, last, waiting, from, onChoose }: RowProps) => {
  const all = choicesWith(choices, rule);
  return (
    <li className={styles.row}>
      <Text className={styles.who} fw={500} aria-hidden="true">
        <SideGlyph side={organization.scope} /> {organization.name}
      </Text>
      <div>
        <SelectField
          label={<span className="sr">{organization.name}</span>}
          value={rule ? behaviourChoice(rule) : "manual"}
          options={all.map(({ value, label }) => ({ value, label }))}
          disabled={!hasScope("manage")}
          onChange={(value) => onChoose(all.find((one) => one.value === value)?.behaviour ?? null)}
        />
      </div>
      <div>
        {next ? <NextAct act={next} from={from} /> : <Waiting count={waiting} never={rule?.does === "never"} />}
        {rule?.off && (
          <Text component="p" c="var(--bad-text)">
            Turned off: {rule.off.sentence}{" "}
            {rule.off.trace_id !== null && <TextLink href={hrefs.request(rule.off.trace_id)}>The call</TextLink>}
          </Text>
        )}
      </div>
      <div>{last ? <LastAct act={last} /> : rule && <Text c="dimmed">Nothing yet</Text>}</div>
    </li>
  );
};

interface Acting {
  readonly rules: readonly Counterpart[];
  readonly items: readonly DueAct[];
  readonly ended: readonly EndedAct[];
}

const Organizations = ({ acting, of }: { acting: Acting; of: readonly Organization[] }) => {
  const { rules, items, ended } = acting;
  const { data: requested } = useQuery(requestedQuery(useWorld()));
  const set = useControl("counterparts.set", { ...counterpartChanges, failed: "Change the counterpart" });
  const suppliers = of.filter(({ scope }) => scope === "supplier");
  const rowOf = (choices: readonly Choice[]) => (organization: Organization) => {
    const rule = rules.find((one) => one.organization_id === organization.id);
    return (
      <Row
        key={organization.id}
        organization={organization}
        choices={choices}
        rule={rule}
        waiting={requested?.items.filter(({ supplier }) => supplier.organization_id === organization.id).length ?? 0}
        from={suppliers.find(({ id }) => id === rule?.supplier_id)?.name}
        next={items.find((act) => act.organization.id === organization.id && act.does !== "notify")}
        last={ended.find((act) => act.organization.id === organization.id && act.does !== "notify")}
        onChoose={(behaviour) => set.mutate({ rules: rulesWith(rules, organization.id, behaviour) })}
      />
    );
  };
  return (
    <>
      <div className={styles.heads} aria-hidden="true">
        <span>Who</span>
        <span>Behaviour</span>
        <span>Next action</span>
        <span>Last action</span>
      </div>
      <Section title="Suppliers" note="answer the orders they receive">
        <ul>{suppliers.map(rowOf(supplierChoices))}</ul>
      </Section>
      <Section title="Buyers" note="order from a supplier">
        <ul>{of.filter(({ scope }) => scope === "repairer").map(rowOf(buyerChoices(suppliers)))}</ul>
      </Section>
    </>
  );
};

const CurrentWorldCounterparts = ({ world }: { world: string }) => {
  const due = useQuery(dueQuery(world));
  const { data: organizations = [] } = useQuery(organizationsQuery(world));
  return (
    <>
      <Text component="p" variant="note" p="8px 16px">
        Let the other side play along. Each act is a call on record with a trace. A test value of the job comes first.
      </Text>
      <Read of={due} what="counterparts" rows={6}>
        {(acting) => <Organizations acting={acting} of={organizations} />}
      </Read>
      <Section title="Test values" note="send one as claim_number of repairer.jobs.insert">
        <ul>
          {testValueExamples.map(({ value, outcome }) => (
            <Group key={value} component="li" className="hl" align="baseline" gap="2px 12px" p="6px 16px" wrap="wrap">
              <Group component="span" gap={4} flex="1 1 240px">
                <Text variant="mono">{value}</Text>
                <CopyButton text={value} what={value} />
              </Group>
              <Text c="secondary" flex="999 1 300px" miw={0}>
                {outcome}
              </Text>
            </Group>
          ))}
        </ul>
      </Section>
    </>
  );
};

const RulesOn = ({ world }: { world: string }) => {
  const { data } = useQuery(dueQuery(world));
  const on = (data?.rules ?? []).filter(({ off }) => off === null).length;
  return on > 0 && <span className="st wait">{plural(on, "rule")} on</span>;
};

/** The counterparts of a world. */
export const CounterpartsPage = ({ name }: { name: string }) => (
  <WorldPage name={name} of="counterparts" beside={<RulesOn world={name} />}>
    <CurrentWorldCounterparts world={name} />
  </WorldPage>
);
