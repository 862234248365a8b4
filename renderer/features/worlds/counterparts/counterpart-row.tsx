import { Group, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { Counterpart, DueAct, EndedAct } from "../../../../sandbox/contract/control/counterpart-operations.ts";
import type { Organization } from "../../../../sandbox/contract/control/rows.ts";
import { Button } from "../../../components/button.tsx";
import { Dialog, DialogFoot } from "../../../components/dialog.tsx";
import { Form, Submit } from "../../../components/form.tsx";
import { TextLink } from "../../../components/link.tsx";
import { NumberField } from "../../../components/number-field.tsx";
import { SelectField } from "../../../components/select-field.tsx";
import { SideGlyph } from "../../../components/side.tsx";
import { Time } from "../../../components/time.tsx";
import { hrefs } from "../../../kernel/addresses/hrefs.ts";
import { useControl } from "../../../kernel/queries/use-act.ts";
import { formatSpan, plural } from "../../../lib/formatting.ts";
import { hasScope } from "../../../lib/world-access.ts";
import { useNowValue } from "../../../lib/world-clock.ts";
import {
  type Behaviour,
  behaviourChoice,
  type Choice,
  choicesWith,
  timedChoices,
  timeOf,
  withTime,
} from "./behaviours.ts";
import styles from "./counterparts.module.css";

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
  /** The act's rule; undefined for a test value. */
  readonly rule: Counterpart | undefined;
  /** The supplier of a buyer's order. */
  readonly from: string | undefined;
}

/** The next act with its countdown. */
const NextAct = ({ act, rule, from }: NextActProps) => {
  const now = useControl("counterparts.now", { changes: ["counterparts"], failed: "Act now" });
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

/** Asks for the time of a behaviour. */
const TimeForm = ({ behaviour, onSet }: { behaviour: Behaviour; onSet: (behaviour: Behaviour) => void }) => {
  const [seconds, setSeconds] = useState<number | null>(timeOf(behaviour));
  return (
    <Form onSend={() => seconds !== null && onSet(withTime(behaviour, seconds))}>
      <Stack gap="md">
        <NumberField
          label={
            behaviour.does === "order" ? "Seconds from one order to the next" : "Seconds after an order was placed"
          }
          autoFocus
          hint="By the world’s clock"
          value={seconds}
          onChange={setSeconds}
        />
        <DialogFoot>
          <Submit needs="manage" disabled={seconds === null}>
            Set
          </Submit>
        </DialogFoot>
      </Stack>
    </Form>
  );
};

interface RowProps {
  readonly organization: Organization;
  /** True if the organization has its own program that makes its calls. */
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
export const CounterpartRow = ({
  organization,
  isYours,
  choices,
  rule,
  next,
  last,
  waiting,
  from,
  onChoose,
}: RowProps) => {
  const all = choicesWith(choices, rule, from);
  const [timed, setTimed] = useState<Behaviour | null>(null);
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
          options={[...all, ...timedChoices(organization.scope, rule)].map(({ value, label }) => ({ value, label }))}
          disabled={!hasScope("manage")}
          onChange={(value) => {
            const other = timedChoices(organization.scope, rule).find((one) => one.value === value);
            if (other) setTimed(other.behaviour);
            else onChoose(all.find((one) => one.value === value)?.behaviour ?? null);
          }}
        />
        {timed && (
          <Dialog opened onClose={() => setTimed(null)} title={`Another time for ${organization.name}`} size={400}>
            <TimeForm
              behaviour={timed}
              onSet={(behaviour) => {
                setTimed(null);
                onChoose(behaviour);
              }}
            />
          </Dialog>
        )}
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
