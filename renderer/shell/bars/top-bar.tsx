import { Box, Group, Text } from "@mantine/core";
import { IconClock, IconHelp, IconSearch } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { Link } from "wouter";
import { IconButton } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Icon } from "../../components/icon.tsx";
import { KeyHint } from "../../components/key-hint.tsx";
import { TextLink } from "../../components/link.tsx";
import { State } from "../../components/state.tsx";
import { offsetText } from "../../domain/world/move-clock.ts";
import { hrefs } from "../../kernel/addresses/hrefs.ts";
import { isLost, useConnection } from "../../kernel/live/connection-store.ts";
import { actingCountQuery, clockQuery } from "../../kernel/queries/world-queries.ts";
import { useUi } from "../../kernel/stores/ui-store.ts";
import { useWorld } from "../../kernel/world/world.ts";
import { announce } from "../../lib/announce.ts";
import { formatClock, formatOffset, formatSpan, plural } from "../../lib/formatting.ts";
import { useNow, useNowValue } from "../../lib/world-clock.ts";
import { searching } from "../palette/store.ts";
import { WorldSwitcher } from "../worlds/world-switcher.tsx";
import { KeyList } from "./key-list.tsx";
import { ThemeMenu } from "./theme-menu.tsx";

/** The offset of the world's clock from real time, as a link to the clock. */
const WorldClock = () => {
  const world = useWorld();
  const { data: clock } = useQuery(clockQuery(world));
  const href = hrefs.clock(world);
  const seconds = clock?.offset_seconds ?? 0;
  const offset = formatOffset(seconds);
  return (
    <Link
      href={href}
      className={`bar-button${offset ? " chip" : ""}`}
      title={offset ? `The world’s clock is ${offsetText(seconds)}` : "The world’s clock"}
    >
      <Icon of={IconClock} size={offset ? 12 : 16} />
      <span className={offset ? "" : "sr"}>{offset ? `World’s clock ${offset}` : "The world’s clock"}</span>
    </Link>
  );
};

const shortClock = (at: number) => formatClock(new Date(at).toISOString()).slice(0, 5);

/** The message for screen readers on a change; "live" is reported only after a problem. */
const connectionMessage = (state: "connecting" | "live" | "reconnecting", lost: boolean): string => {
  if (lost) return "Service not responding, retrying";
  return state === "reconnecting" ? "Reconnecting to the service" : state === "live" ? "Live" : "";
};

const Live = () => {
  const lastEntryAt = useConnection((state) => state.lastEntryAt);
  const title = useNowValue("real", (now) =>
    lastEntryAt === null
      ? "Event stream open, no events yet"
      : `Event stream open, last event ${formatSpan(Math.max(0, now - lastEntryAt))} ago`,
  );
  return (
    <State of="live" title={title}>
      <span className="live-word">Live</span>
    </State>
  );
};

const Disconnected = ({ since, retryAt, lost }: { since: number; retryAt: number; lost: boolean }) => {
  const now = useNow("real", 1000);
  const left = Math.max(0, Math.ceil((retryAt - now) / 1000));
  if (lost)
    return (
      <State of="lost" title="Retrying every few seconds">
        Lost since {shortClock(since)}
      </State>
    );
  return (
    <State of="reconnecting" title="Your input is kept">
      Reconnecting{left > 0 ? `, ${left} s` : ""}
    </State>
  );
};

/** The connection's state: live, reconnecting in some seconds, lost for some time. */
const ConnectionState = () => {
  const connection = useConnection((state) => state.connection);
  const lost = useNowValue("real", (now) => isLost(connection, now));
  const message = connectionMessage(connection.state, lost);
  const lastAnnounced = useRef("Live");
  useEffect(() => {
    if (message === "" || message === lastAnnounced.current) return;
    lastAnnounced.current = message;
    announce(message === "Live" ? "The service is back" : message);
  }, [message]);
  if (connection.state === "connecting") return <State of="reconnecting">Connecting</State>;
  if (connection.state === "live") return <Live />;
  return <Disconnected since={connection.since} retryAt={connection.retryAt} lost={lost} />;
};

/** The glossary and the keys, behind a button and a key. */
const KeyHelp = () => {
  const open = useUi((state) => state.keysOpen);
  const setOpen = (keysOpen: boolean) => useUi.setState({ keysOpen });
  return (
    <>
      <IconButton icon={IconHelp} label="Shortcuts and terms" onClick={() => setOpen(true)} />
      <Dialog opened={open} onClose={() => setOpen(false)} title="Shortcuts and terms" size="lg">
        <KeyList />
      </Dialog>
    </>
  );
};

/** Shows that organizations act automatically in this world. */
const CounterpartsOn = () => {
  const world = useWorld();
  const { data: on = 0 } = useQuery(actingCountQuery(world));
  return (
    on > 0 && (
      <TextLink href={hrefs.counterparts(world)} title="Organizations that act by themselves in this world">
        {plural(on, "counterpart")} on
      </TextLink>
    )
  );
};

/** The world and its clock, search, connection, theme, keys. */
export const TopBar = () => (
  <Group component="header" className="top">
    <WorldSwitcher />
    <WorldClock />
    <CounterpartsOn />
    <Box component="span" flex={1} />
    <button type="button" className="palette-button" onClick={searching.open}>
      <Icon of={IconSearch} size={14} />
      <Text flex={1} miw={0} truncate className="palette-words">
        Search or jump to
      </Text>
      <Group component="span" gap="xs" className="palette-keys" aria-hidden="true">
        <KeyHint keys="mod+k" />
      </Group>
    </button>
    <ConnectionState />
    <ThemeMenu />
    <KeyHelp />
  </Group>
);
