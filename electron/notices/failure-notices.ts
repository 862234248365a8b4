import { app, Notification } from "electron";
import type { DeliveryRow } from "../../sandbox/contract/control/rows.ts";
import { plural } from "../../sandbox/contract/text.ts";
import { DEFAULT_WORLD } from "../../sandbox/rules/worlds/world-name.ts";
import type { ReadyLine } from "../../sandbox/service.ts";
import { APP_ID } from "../app-identity.ts";
import { withWorld } from "../links/explorer-address.ts";
import { groupFailures } from "./failure-groups.ts";
import { followFailures } from "./live-failures.ts";

/** Optional notifications about failed deliveries. */
export interface FailureNotices {
  set(on: boolean): void;
  readonly isOn: boolean;
  /** Sets the worlds to watch: those shown in windows. */
  follow(worlds: ReadonlySet<string>): void;
}

/** The text of a notification: the newest failure, the total, and the world unless default. */
export function failureText(
  { event_type, label, url, attempts_made, last_status, last_error }: DeliveryRow,
  count: number,
  world: string | null,
): { title: string; body: string } {
  const inWorld = world === null ? "" : ` in the world ${world}`;
  const why = last_status === null ? (last_error ?? "no response") : `returned ${last_status}`;
  return {
    title: count === 1 ? `A delivery failed${inWorld}` : `${count} deliveries failed`,
    body: `${count === 1 ? "" : `The last one${inWorld}: `}${event_type} ${label} to ${url}: ${why} after ${plural(attempts_made, "attempt")}`,
  };
}

/** @param show opens an address of the explorer when a notification is clicked */
export function createFailureNotices(
  { base_url, control_token }: Pick<ReadyLine, "base_url" | "control_token">,
  show: (address: string) => void,
): FailureNotices {
  /** A reference is kept, because a garbage-collected notification loses its click handler. */
  let shown: Notification | null = null;
  let on = false;
  let worlds: ReadonlySet<string> = new Set();

  // Windows shows notifications only for a registered app ID.
  if (process.platform === "win32") app.setAppUserModelId(app.isPackaged ? APP_ID : process.execPath);

  const groups = groupFailures((newest, count) => {
    if (!Notification.isSupported()) return;
    const notice = new Notification(
      failureText(newest.delivery, count, newest.world === DEFAULT_WORLD ? null : newest.world),
    );
    notice.on("click", () => show(withWorld(`/webhooks/${newest.delivery.id}`, newest.world)));
    shown?.close();
    shown = notice;
    notice.show();
  });
  const failures = followFailures(base_url, control_token, groups.add);

  return {
    get isOn() {
      return on;
    },
    set(wanted) {
      on = wanted;
      if (!on) groups.clear();
      failures.follow(on ? worlds : new Set());
    },
    follow(looked) {
      // On macOS, the app keeps running without windows, so keep watching the last worlds.
      if (looked.size > 0) worlds = new Set(looked);
      if (on) failures.follow(worlds);
    },
  };
}
