import { Radio, Text } from "@mantine/core";
import { IconInfoCircle, IconPlayerTrackNext } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, type RefObject, useId, useState } from "react";
import type { Moment } from "../../../../sandbox/contract/control/world-operations.ts";
import { offsetWords, useMoveClock } from "../../../app/move-clock.ts";
import { hrefs } from "../../../app/places.ts";
import { worldKeys } from "../../../app/query-keys.ts";
import { useWorld } from "../../../app/world.ts";
import { clockQuery } from "../../../app/world-queries.ts";
import { Button } from "../../../components/button.tsx";
import { TextField } from "../../../components/fields.tsx";
import { Icon } from "../../../components/icon.tsx";
import { TextLink } from "../../../components/link.tsx";
import { Origin } from "../../../components/origin.tsx";
import { Read } from "../../../components/read.tsx";
import { Note, Section } from "../../../components/section.tsx";
import { useShown } from "../../../components/use-shown.ts";
import { formatClock, formatDay, formatSpan, plural } from "../../../lib/formatting.ts";
import { callControl } from "../../../lib/service-client.ts";
import { nowOn, useNowText } from "../../../lib/world-clock.ts";
import styles from "./clock.module.css";
import { ownAmount, type Target, targetsFrom } from "./targets.ts";

const useUpcoming = () => {
  const world = useWorld();
  return useQuery({
    queryKey: worldKeys(world).moments(),
    queryFn: ({ signal }) => callControl("clock.upcoming", { world }, { signal }),
    // A code that is issued on the consent page is told by no feed.
    refetchOnMount: "always",
    gcTime: 0,
  });
};

const momentOf = ({ what, id, label, organization }: Moment): ReactNode => {
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
  <Text dateTime={at} component="time" c="dimmed" textWrap="nowrap">
    {formatDay(at, Date.now())} {formatClock(at)}
  </Text>
);

const Moments = ({ items }: { items: readonly Moment[] }) =>
  items.length === 0 ? (
    <p>No access code or upload URL expires, and no order is due.</p>
  ) : (
    <ul className={styles.moments}>
      {items.map((one) => (
        <li key={`${one.what} ${one.id} ${one.label} ${one.at}`}>
          <When at={one.at} />
          <span>{momentOf(one)}</span>
        </li>
      ))}
    </ul>
  );

/** Of what is ahead, what comes before a moment. */
const before = (items: readonly Moment[], until: number) => items.filter(({ at }) => Date.parse(at) < until);

/** What happens until then; it is listed before anything is moved. */
const Ahead = ({ until, busy, onMove }: { until: number; busy: boolean; onMove: () => void }) => {
  const upcoming = useUpcoming();
  const by = useNowText("world", (now) => formatSpan(until - now));
  const heading = useId();
  const items = before(upcoming.data?.items ?? [], until);
  return (
    <section className={styles.ahead} aria-labelledby={heading}>
      <h3 id={heading}>Deadlines until then</h3>
      <Read of={upcoming} what="the deadlines" rows={2}>
        {() => <Moments items={items} />}
      </Read>
      <Note icon={<Icon of={IconInfoCircle} size={14} />}>
        Delivery retries, signed timestamps (<code>webhook_timestamp</code>) and the idle reset stay on real time.
      </Note>
      <span>
        <Button look="primary" small icon={IconPlayerTrackNext} busy={busy} onClick={onMove}>
          Move clock {by} ahead
        </Button>
      </span>
    </section>
  );
};

const Now = ({ offset, place }: { offset: number; place: RefObject<HTMLParagraphElement | null> }) => {
  const text = useNowText("world", (now) => new Date(now).toISOString().slice(0, 19));
  const real = useNowText("real", (now) => formatClock(new Date(now).toISOString()));
  const at = `${text}Z`;
  return (
    <p ref={place} tabIndex={-1} className={styles.now}>
      <b>{formatClock(at)}</b>
      <Text variant="note">
        {formatDay(at, Date.now())}, {offsetWords(offset)}
        {offset > 0 && `. Real time is ${real}. Resetting keeps existing timestamps.`}
      </Text>
    </p>
  );
};

const By = ({ target: { at, why, name } }: { target: Target }) => {
  const by = useNowText("world", (now) => (at === null ? why : `+${formatSpan(at - now)}`));
  return (
    <span>{name === "weekend" && at !== null ? `to ${formatDay(new Date(at).toISOString(), at)}, 09:00` : by}</span>
  );
};

/** What is chosen, by its name, with the moment it meant when it was. */
interface Chosen {
  readonly name: string;
  readonly at: number | null;
}

const OWN = "own";

/**
 * The clock of this window's world: where it can be moved to, and what that brings, before it is moved and after.
 *
 * @param props.isShown whether it is what the address asks for
 */
export const ClockSection = ({ isShown }: { isShown: boolean }) => {
  const world = useWorld();
  const group = useId();
  const clock = useQuery(clockQuery(world));
  const ahead = useUpcoming();
  const [chosen, choose] = useState<Chosen | null>(null);
  const [typed, setTyped] = useState("");
  const move = useMoveClock({ tells: false });
  // What was pressed is gone or disabled then.
  const time = useShown<HTMLParagraphElement>(isShown && clock.isSuccess);
  const own = ownAmount(typed);
  // A list of targets is made when what is ahead was read: its moments stand still while one is chosen.
  const targets = ahead.data ? targetsFrom(ahead.data.items, Date.parse(ahead.data.now)) : [];
  const typeOwn = (text: string) => {
    setTyped(text);
    const { seconds } = ownAmount(text);
    choose({ name: OWN, at: seconds === null ? null : nowOn("world") + seconds * 1000 });
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
  const panel = (name: string) =>
    chosen?.name === name &&
    chosen.at !== null && (
      <Ahead key={chosen.at} until={chosen.at} busy={move.isPending} onMove={() => go(chosen.at ?? 0)} />
    );
  return (
    <Section
      title="Clock"
      note={<Origin of="assumption" id="D84" />}
      actions={
        <Button small disabled={(clock.data?.offset_seconds ?? 0) === 0} busy={move.isPending} onClick={back}>
          Reset to real time{" "}
        </Button>
      }
    >
      <Read of={clock} what="the clock" rows={1}>
        {({ offset_seconds }) => <Now offset={offset_seconds} place={time} />}
      </Read>
      <Read of={ahead} what="the deadlines" rows={4}>
        {({ items: { length } }) => (
          <fieldset className={styles.targets}>
            <Text component="legend" variant="note">
              {length === 0
                ? "No upcoming deadlines. Choose a time to move to."
                : `${plural(length, "upcoming deadline")}. Choose a time to preview ${length > 1 ? "them" : "it"}.`}
            </Text>
            {targets.map((target) => (
              <div key={target.name} data-chosen={chosen?.name === target.name ? true : undefined}>
                <Radio
                  name={group}
                  label={
                    <>
                      {target.label}
                      <By target={target} />
                    </>
                  }
                  checked={chosen?.name === target.name}
                  disabled={target.at === null}
                  onChange={() => choose(target)}
                />
                {panel(target.name)}
              </div>
            ))}
            <div data-chosen={chosen?.name === OWN ? true : undefined} className={styles.own}>
              <TextField
                label="Custom duration"
                placeholder="90 min, 2 h 30 min, 3 days"
                value={typed}
                onChange={typeOwn}
                error={own.problem}
              />
              {panel(OWN)}
            </div>
          </fieldset>
        )}
      </Read>
    </Section>
  );
};
