import { Group, Radio, Stack, Text } from "@mantine/core";
import { IconInfoCircle, IconPlayerTrackNext } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, type RefObject, useState } from "react";
import type { Moment } from "../../../../sandbox/contract/control/world-operations.ts";
import { Button } from "../../../components/button.tsx";
import { TextField } from "../../../components/fields.tsx";
import { Icon } from "../../../components/icon.tsx";
import { TextLink } from "../../../components/link.tsx";
import { Read } from "../../../components/read.tsx";
import { Note, Section } from "../../../components/section.tsx";
import { Origin } from "../../../domain/decision/origin.tsx";
import { offsetText, useMoveClock } from "../../../domain/world/move-clock.ts";
import { hrefs } from "../../../kernel/addresses/hrefs.ts";
import { useScrollIntoView } from "../../../kernel/place/use-scroll-into-view.ts";
import { worldKeys } from "../../../kernel/queries/query-keys.ts";
import { clockQuery } from "../../../kernel/queries/world-queries.ts";
import { useWorld } from "../../../kernel/world/world.ts";
import { formatClock, formatDay, formatOffset, formatSpan, plural } from "../../../lib/formatting.ts";
import { callControl } from "../../../lib/service-client.ts";
import { nowOn, useNowValue } from "../../../lib/world-clock.ts";
import { listTargets, parseTypedSpan, type Target } from "./targets.ts";

const useUpcoming = () => {
  const world = useWorld();
  return useQuery({
    queryKey: worldKeys(world).moments(),
    queryFn: ({ signal }) => callControl("clock.upcoming", { world }, { signal }),
    // No feed reports a code issued on the consent page.
    refetchOnMount: "always",
    gcTime: 0,
  });
};

const momentLabel = ({ what, id, label, organization }: Moment): ReactNode => {
  const name = <Text variant="mono">{label}</Text>;
  if (what === "code_expires")
    return (
      <>
        access code {name} of {organization} expires
      </>
    );
  if (what === "upload_expires")
    return (
      <>
        upload URL for {name} of {organization} expires
      </>
    );
  return (
    <>
      order {id === null ? name : <TextLink href={hrefs.procurement(id)}>{label}</TextLink>} of {organization} is due
    </>
  );
};

const When = ({ at }: { at: string }) => (
  <Text dateTime={at} component="time" c="dimmed" w={136} flex="none">
    {formatDay(at, Date.now())} {formatClock(at)}
  </Text>
);

const Moments = ({ items }: { items: readonly Moment[] }) =>
  items.length === 0 ? (
    <p>No access code or upload URL expires, and no order is due.</p>
  ) : (
    <Stack component="ul" className="scroll" gap={2} mah={240}>
      {items.map((one) => (
        <Group key={`${one.what} ${one.id} ${one.label} ${one.at}`} component="li" align="baseline">
          <When at={one.at} />
          <Text style={{ overflowWrap: "anywhere" }}>{momentLabel(one)}</Text>
        </Group>
      ))}
    </Stack>
  );

/** Upcoming moments before a time. */
const before = (items: readonly Moment[], until: number) => items.filter(({ at }) => Date.parse(at) < until);

const TITLE = "Deadlines until then";

/** Upcoming events until a time, listed before the clock is moved. */
const Ahead = ({ until, busy, onMove }: { until: number; busy: boolean; onMove: () => void }) => {
  const upcoming = useUpcoming();
  const by = useNowValue("world", (now) => formatSpan(until - now));
  const items = before(upcoming.data?.items ?? [], until);
  return (
    <Stack component="section" align="flex-start" className="hl" variant="note" p="8px 16px" aria-label={TITLE}>
      <h3>{TITLE}</h3>
      <Read of={upcoming} what="the deadlines" rows={2}>
        {() => <Moments items={items} />}
      </Read>
      <Note icon={<Icon of={IconInfoCircle} size={14} />}>
        Delivery retries, signed timestamps (<code>webhook_timestamp</code>) and the idle reset stay on real time.
      </Note>
      <Button look="primary" small icon={IconPlayerTrackNext} needs="manage" busy={busy} onClick={onMove}>
        Move clock {by} ahead
      </Button>
    </Stack>
  );
};

const Now = ({ offset, place }: { offset: number; place: RefObject<HTMLDivElement | null> }) => {
  const text = useNowValue("world", (now) => new Date(now).toISOString().slice(0, 19));
  const real = useNowValue("real", (now) => formatClock(new Date(now).toISOString()));
  const at = `${text}Z`;
  return (
    <Group component="p" ref={place} tabIndex={-1} wrap="wrap" gap="2px 8px" align="baseline" px="lg" pb="sm">
      <Text component="b" fz={20} fw={600}>
        {formatClock(at)}
      </Text>
      <Text variant="note">
        {formatDay(at, Date.now())}, {offsetText(offset)}
        {formatOffset(offset) && `. Real time is ${real}. Resetting keeps existing timestamps.`}
      </Text>
    </Group>
  );
};

const By = ({ target: { at, why, name } }: { target: Target }) => {
  const by = useNowValue("world", (now) => (at === null ? why : `+${formatSpan(at - now)}`));
  return name === "weekend" && at !== null ? `to ${formatDay(new Date(at).toISOString(), at)}, 09:00` : by;
};

const OWN = "own";

/**
 * The clock of this window's world: possible targets and their consequences, before and after the move.
 * @param props.isShown whether the address names it
 */
export const ClockSection = ({ isShown }: { isShown: boolean }) => {
  const world = useWorld();
  const clock = useQuery(clockQuery(world));
  const ahead = useUpcoming();
  const [chosen, choose] = useState<string | null>(null);
  const [typed, setTyped] = useState("");
  /** The world's time from which a typed duration counts: when it was typed, or when somebody last moved the clock. */
  const [from, setFrom] = useState(0);
  const offset = clock.data?.offset_seconds ?? 0;
  const [lastOffset, setLastOffset] = useState(offset);
  if (offset !== lastOffset) {
    setLastOffset(offset);
    setFrom(Date.now() + offset * 1000);
  }
  const move = useMoveClock({ showsNotice: false });
  // The pressed control disappears or becomes disabled, so the time takes focus.
  const time = useScrollIntoView<HTMLDivElement>(isShown && clock.isSuccess);
  const own = parseTypedSpan(typed);
  // Computed from the read's time, so that targets don't move while one is chosen.
  const targets = ahead.data ? listTargets(ahead.data.items, Date.parse(ahead.data.now)) : [];
  const typeOwn = (text: string) => {
    setTyped(text);
    choose(OWN);
    setFrom(nowOn("world"));
  };
  const go = (until: number) => {
    move.mutate(Math.max(0, (until - nowOn("world")) / 1000), {
      onSuccess: () => {
        choose(null);
        setTyped("");
        time.current?.focus({ preventScroll: true });
      },
    });
  };
  const back = () => move.mutate(null, { onSuccess: () => time.current?.focus({ preventScroll: true }) });
  const ownTime = own.seconds === null ? null : from + own.seconds * 1000;
  const until = chosen === OWN ? ownTime : (targets.find(({ name }) => name === chosen)?.at ?? null);
  return (
    <Section
      title="Clock"
      note={<Origin of="assumption" id="D84" />}
      actions={
        <Button small disabled={offset === 0} needs="manage" busy={move.isPending} onClick={back}>
          Reset to real time{" "}
        </Button>
      }
    >
      <Read of={clock} what="the clock" rows={1}>
        {({ offset_seconds }) => <Now offset={offset_seconds} place={time} />}
      </Read>
      <Read of={ahead} what="the deadlines" rows={4}>
        {({ items: { length } }) => (
          <Stack gap="md" px="lg" pb="md">
            <Radio.Group
              label={
                length === 0
                  ? "No upcoming deadlines. Choose a time to move to."
                  : `${plural(length, "upcoming deadline")}. Choose a time to preview ${length > 1 ? "them" : "it"}.`
              }
              value={chosen}
              onChange={choose}
            >
              {targets.map((target) => (
                <Radio
                  key={target.name}
                  value={target.name}
                  label={target.label}
                  description={<By target={target} />}
                  disabled={target.at === null}
                />
              ))}
            </Radio.Group>
            <TextField
              label="Custom duration"
              placeholder="90 min, 2 h 30 min, 3 days"
              value={typed}
              onChange={typeOwn}
              error={own.problem}
            />
          </Stack>
        )}
      </Read>
      {until !== null && <Ahead key={until} until={until} busy={move.isPending} onMove={() => go(until)} />}
    </Section>
  );
};
