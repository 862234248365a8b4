import { useEffect } from "react";
import { State } from "../../components/state.tsx";
import { announce } from "../../lib/announce.ts";
import { formatClock, formatSpan } from "../../lib/formatting.ts";
import { useNow } from "../../lib/world-clock.ts";
import { LOST_AFTER_MS, useConnection } from "../live/connection-store.ts";

const shortClock = (at: number) => formatClock(new Date(at).toISOString()).slice(0, 5);

/** Whether what is on the screen is what is: live, reconnecting in so many seconds, lost since when. */
export const ConnectionState = () => {
  const { connection, lastEntryAt } = useConnection();
  const now = useNow("real", 1000);
  const lost = connection.state === "reconnecting" && now - connection.since > LOST_AFTER_MS;
  const spoken =
    connection.state === "live"
      ? "Live"
      : lost
        ? "The service is lost, trying again"
        : connection.state === "reconnecting"
          ? "Reconnecting to the service"
          : "";
  useEffect(() => {
    if (spoken && spoken !== "Live") announce(spoken);
  }, [spoken]);
  if (connection.state === "connecting") return <State of="reconnecting">Connecting</State>;
  if (connection.state === "live") {
    const last =
      lastEntryAt === null
        ? "nothing has happened since"
        : `last event ${formatSpan(Math.max(0, now - lastEntryAt))} ago`;
    return (
      <State of="live" title={`Event stream open; ${last}`}>
        Live
      </State>
    );
  }
  if (lost)
    return (
      <State of="lost" title="It is tried again every few seconds">
        Lost since {shortClock(connection.since)}
      </State>
    );
  const left = Math.max(0, Math.ceil((connection.retryAt - now) / 1000));
  return (
    <State of="reconnecting" title="What you typed is kept">
      Reconnecting{left > 0 ? `, ${left} s` : ""}
    </State>
  );
};
