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
import { Read } from "../../../components/read.tsx";
import { Section } from "../../../components/section.tsx";
import { useCredentials } from "../../../kernel/credentials/acting.ts";
import { worldKeys } from "../../../kernel/queries/query-keys.ts";
import { useAct } from "../../../kernel/queries/use-act.ts";
import { organizationsQuery } from "../../../kernel/queries/world-queries.ts";
import { useWorld } from "../../../kernel/world/world.ts";
import { controlQuery } from "../../../lib/control-query.ts";
import { callControl } from "../../../lib/service-client.ts";
import { hasScope } from "../../../lib/world-access.ts";
import { WorldPage } from "../world-page.tsx";
import { buyerChoices, type Choice, rulesWith, supplierChoices } from "./behaviours.ts";
import { CounterpartRow } from "./counterpart-row.tsx";
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
      <CounterpartRow
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
