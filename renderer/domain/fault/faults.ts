import type { Fault } from "../../../sandbox/contract/control/fault-operations.ts";
import { hrefs } from "../../kernel/addresses/hrefs.ts";
import { notify } from "../../kernel/notices/notices.tsx";
import { worldKeys } from "../../kernel/queries/query-keys.ts";
import { useAct } from "../../kernel/queries/use-act.ts";
import { itemsQuery } from "../../lib/control-query.ts";
import { formatSpan, plural } from "../../lib/formatting.ts";
import { callControl } from "../../lib/service-client.ts";

/** Faults that are still active. Computed here, because the feed doesn't report an expiry. */
export const armedFaults = (faults: readonly Fault[], nowMs: number): readonly Fault[] =>
  faults.filter(
    ({ state, expires_at }) => state === "armed" && (expires_at === null || Date.parse(expires_at) > nowMs),
  );

export const firedText = (fired: number): string => (fired === 0 ? "no hits yet" : plural(fired, "hit"));

/** "fired 3 times, 2 calls left, armed for another 4 min": a fault's remaining effect. */
export const faultRemainderText = ({ fired, left, expires_at }: Fault, nowMs: number): string =>
  [
    firedText(fired),
    ...(left === null ? [] : [`${plural(left, "call")} left`]),
    ...(expires_at === null ? [] : [`active for another ${formatSpan(Date.parse(expires_at) - nowMs)}`]),
  ].join(", ");

export const faultsQuery = (world: string) => itemsQuery(worldKeys(world).faults(), "faults.list", { world });

/** Clears one fault of this world, or all. @param onCleared called before the focused element disappears */
export const useClearFaults = (onCleared: () => void) =>
  useAct((world, id: string | null) => callControl("faults.clear", id === null ? { world } : { world, id }), {
    ...{ changes: ["fault"], failed: "Clear faults" },
    onDone: (_, id, world) => {
      // The service's count includes used-up faults.
      notify.done({
        title: id === null ? "All faults cleared" : "Fault cleared",
        from: { href: hrefs.faults(world), world },
      });
      onCleared();
    },
  });
