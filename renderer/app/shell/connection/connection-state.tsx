import { useEffect, useRef } from "react";
import { State } from "../../../components/state.tsx";
import { announce } from "../../../lib/announce.ts";
import { formatClock, formatSpan } from "../../../lib/formatting.ts";
import { useNow, useNowText } from "../../../lib/world-clock.ts";
import { isLost, useConnection } from "../../live/connection-store.ts";

const shortClock = (at: number) => formatClock(new Date(at).toISOString()).slice(0, 5);

/** What a screen reader is told when it changes; that all is well only after it was not. */
const spokenOf = (state: "connecting" | "live" | "reconnecting", lost: boolean): string => {
  if (lost) return "The service is lost, trying again";
  return state === "reconnecting" ? "Reconnecting to the service" : state === "live" ? "Live" : "";
};

const Live = () => {
  const lastEntryAt = useConnection((state) => state.lastEntryAt);
  const title = useNowText("real", (now) =>
    lastEntryAt === null
      ? "Event stream open; nothing has happened since"
      : `Event stream open; last event ${formatSpan(Math.max(0, now - lastEntryAt))} ago`,
  );
  return (
    <State of="live" title={title}>
      <span className="live-word">Live</span>
    </State>
  );
};

const Away = ({ since, retryAt, lost }: { since: number; retryAt: number; lost: boolean }) => {
  const now = useNow("real", 1000);
  const left = Math.max(0, Math.ceil((retryAt - now) / 1000));
  if (lost)
    return (
      <State of="lost" title="It is tried again every few seconds">
        Lost since {shortClock(since)}
      </State>
    );
  return (
    <State of="reconnecting" title="What you typed is kept">
      Reconnecting{left > 0 ? `, ${left} s` : ""}
    </State>
  );
};

/** Whether what is on the screen is what is: live, reconnecting in so many seconds, lost since when. */
export const ConnectionState = () => {
  const connection = useConnection((state) => state.connection);
  const lost = useNowText("real", (now) => String(isLost(connection, now))) === "true";
  const spoken = spokenOf(connection.state, lost);
  const said = useRef("Live");
  useEffect(() => {
    if (spoken === "" || spoken === said.current) return;
    said.current = spoken;
    announce(spoken === "Live" ? "The service is back, live" : spoken);
  }, [spoken]);
  if (connection.state === "connecting") return <State of="reconnecting">Connecting</State>;
  if (connection.state === "live") return <Live />;
  return <Away since={connection.since} retryAt={connection.retryAt} lost={lost} />;
};
