import { Checkbox, EmptyState, Group, Text } from "@mantine/core";
import { IconCircleCheck } from "@tabler/icons-react";
import { useEffect, useId, useRef } from "react";
import type { ActivityGroup } from "../../../sandbox/contract/control/activity-operations.ts";
import { LinkButton } from "../../components/button.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import { HttpStatus } from "../../components/http-status.tsx";
import { TextLink } from "../../components/link.tsx";
import { Sentence } from "../../components/sentence.tsx";
import { Time } from "../../components/time.tsx";
import { useKeys } from "../../components/use-keys.ts";
import { formatCount, plural } from "../../lib/formatting.ts";
import styles from "./activity.module.css";
import { Caller } from "./callers.tsx";
import { Spark } from "./chart.tsx";
import { type ActivityFilter, callerKey, callsHref, groupKey, lastHref, onlyWorld } from "./queries.ts";

const failureNoun = ({ kind }: ActivityGroup): string => (kind === "call" ? "call" : "failed attempt");

/** Text about a cause for one partner, without the names of others. */
const forThePartner = (group: ActivityGroup): string => {
  const { sentence, what_to_do, status, count, last_call } = group;
  const { at, id, operation } = last_call;
  return [
    `${sentence} (${status === 0 ? "no response" : `status ${status}`})`,
    `What to do: ${what_to_do}`,
    `${plural(count, failureNoun(group))}. Last: ${at}, ${operation ?? "no operation"}, ID ${id}.`,
  ].join("\n");
};

/** The only caller's name, or the number of callers. */
const CauseCallers = ({ of: { callers, more_callers } }: { of: ActivityGroup }) => {
  const [first] = callers;
  if (first && callers.length === 1) return <Caller of={first} />;
  const worlds = new Set(callers.map(({ world }) => world));
  const [only = ""] = worlds;
  return (
    <Text c="secondary" truncate>
      {plural(callers.length + more_callers, "caller")} in{" "}
      {worlds.size === 1 && more_callers === 0 ? only : "several worlds"}
    </Text>
  );
};

/** A cause's fix, and its callers with counts that link to their calls. */
const Opened = ({ of: group, from, id }: { of: ActivityGroup; from: string; id: string }) => {
  const { what_to_do, callers, more_callers, last_call, kind, count } = group;
  const world = onlyWorld(group);
  const box = useRef<HTMLDivElement>(null);
  // The last causes of the list open below its edge.
  useEffect(() => {
    // Newer browsers return a promise, which isn't a cleanup.
    box.current?.scrollIntoView({ block: "nearest" });
  }, []);
  return (
    <div className={styles.opened} id={id} ref={box}>
      <p className={styles.verdict}>
        <Sentence text={what_to_do} />
        {last_call.operation !== null && (
          <>
            {" "}
            Last {kind === "call" ? "call" : "event"}: <Text variant="mono">{last_call.operation}</Text>
          </>
        )}
      </p>
      <ul className={styles.met} aria-label="Callers of this cause">
        {callers.map((caller) => (
          <li key={callerKey(caller)}>
            <TextLink href={callsHref(group, caller.world, from, caller)}>
              {plural(caller.count, failureNoun(group))}
            </TextLink>
            <Caller of={caller} />
            {caller.count > 1 && <TextLink href={lastHref(caller.last_call)}>Last one</TextLink>}
          </li>
        ))}
        {more_callers > 0 && (
          <li>
            <Text c="dimmed">And {plural(more_callers, "more caller")}. Filter by world to see them.</Text>
          </li>
        )}
      </ul>
      <Group gap="xs">
        <LinkButton small look="primary" href={lastHref(last_call)}>
          Open last {kind === "call" ? "call" : "delivery"}
        </LinkButton>
        {world !== null && callers.length > 1 && (
          <LinkButton small look="quiet" href={callsHref(group, world, from)}>
            All {plural(count, failureNoun(group))}
          </LinkButton>
        )}
        <CopyButton text={forThePartner(group)} what="the cause for the partner" label="Copy for the partner" />
      </Group>
    </div>
  );
};

interface CauseProps {
  readonly of: ActivityGroup;
  readonly from: string;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

const Cause = ({ of: group, from, isOpen, onToggle }: CauseProps) => {
  const id = useId();
  const { count, sentence, status, expected, kind, last_call } = group;
  return (
    <li className={isOpen ? styles.open : undefined}>
      <div className={`hov ${styles.cause}`}>
        <button
          type="button"
          data-cause
          className={styles.head}
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          onClick={onToggle}
        >
          <span className={styles.count}>{formatCount(count)}</span>
          <span className={styles.what}>
            <Text fw={500} truncate title={sentence.replaceAll("`", "")}>
              <Sentence text={sentence.replace(/\.$/, "")} />
            </Text>
            <HttpStatus status={status} />
            {expected && <span className="st off">expected</span>}
          </span>
          <span className={styles.whose}>
            <CauseCallers of={group} />
          </span>
        </button>
        <Spark of={group} />
        <span className={styles.last}>
          <TextLink href={lastHref(last_call)}>Last {kind === "call" ? "call" : "delivery"}</TextLink>
          <Time at={last_call.at} on="real" />
        </span>
      </div>
      {isOpen && <Opened of={group} from={from} id={id} />}
    </li>
  );
};

interface CausesProps {
  readonly groups: readonly ActivityGroup[];
  readonly from: string;
  readonly filter: ActivityFilter;
  readonly narrow: (change: Partial<ActivityFilter>) => void;
  readonly anyExpected: boolean;
}

/** Causes of failures, most frequent first. */
export const Causes = ({ groups, from, filter, narrow, anyExpected }: CausesProps) => {
  const list = useRef<HTMLUListElement>(null);
  const move = (by: number): void => {
    const heads = [...(list.current?.querySelectorAll<HTMLElement>("[data-cause]") ?? [])];
    const { activeElement } = document;
    const at = activeElement instanceof HTMLElement ? heads.indexOf(activeElement) : -1;
    heads[at === -1 ? 0 : Math.min(Math.max(at + by, 0), heads.length - 1)]?.focus();
  };
  useKeys("Activity", [
    { keys: ["j"], label: "Next cause", repeats: true, run: () => move(1) },
    { keys: ["k"], label: "Previous cause", repeats: true, run: () => move(-1) },
  ]);
  return (
    <section className={styles.causes} aria-labelledby="causes">
      <div className="sec">
        <h2 id="causes">Causes</h2>
        <Text variant="aside">{formatCount(groups.length)}, most frequent first</Text>
        {anyExpected && (
          <Checkbox
            ml="auto"
            size="xs"
            label="Show expected"
            title="Errors from faults, and from built-in receivers that were set to fail"
            checked={filter.expected === "shown"}
            onChange={({ currentTarget }) => narrow({ expected: currentTarget.checked ? "shown" : "hidden" })}
          />
        )}
      </div>
      {groups.length === 0 && (
        <EmptyState
          icon={<IconCircleCheck />}
          title="Only expected failures"
          description="They came from faults, or from built-in receivers that were set to fail."
        />
      )}
      <ul ref={list}>
        {groups.map((group) => {
          const key = groupKey(group);
          const isOpen = filter.open === key;
          const onToggle = (): void => narrow({ open: isOpen ? null : key });
          return <Cause key={key} of={group} from={from} isOpen={isOpen} onToggle={onToggle} />;
        })}
      </ul>
    </section>
  );
};
