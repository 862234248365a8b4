import { useMutation } from "@tanstack/react-query";
import type { Job, JobInsert, PartInsert } from "../../../sandbox/contract/resources/job.ts";
import { hrefs } from "../../kernel/addresses/hrefs.ts";
import { currentLocation, useNavigateAfter } from "../../kernel/addresses/navigate-after.ts";
import type { KeyedCredential } from "../../kernel/credentials/acting.ts";
import { notify } from "../../kernel/notices/notices.tsx";
import { useChanged } from "../../kernel/queries/changes.ts";
import { useWorld } from "../../kernel/world/world.ts";
import { plural } from "../../lib/formatting.ts";
import { callPartner, exchangePartner } from "../../lib/service-client.ts";

/** Invalidates a job after a call. */
export const useJobChanged = () => {
  const changed = useChanged();
  return (jobId: string) => void changed(["call", "job", "delivery"], jobId);
};

/** Handlers that also run after their component has unmounted, unlike those of `mutate`. */
interface CallHandlers<Result> {
  readonly onSuccess: (result: Result) => void;
  readonly onError?: (error: Error) => void;
}

/** A call that changes a job. */
const useJobCall = <Sent, Result>(
  call: (sent: Sent, world: string) => Promise<Result>,
  jobIdOf: (result: Result) => string,
  { onSuccess, onError }: CallHandlers<Result>,
) => {
  const world = useWorld();
  const changed = useJobChanged();
  return useMutation({
    mutationFn: (sent: Sent) => call(sent, world),
    onSuccess: (result) => {
      onSuccess(result);
      changed(jobIdOf(result));
    },
    onError: (error) => onError?.(error),
  });
};

export const useInsertJob = (credential: KeyedCredential | null, handlers: CallHandlers<Job>) =>
  useJobCall(
    (body: JobInsert, world) => callPartner("repairer.jobs.insert", body, { world, key: credential }),
    ({ id }) => id,
    handlers,
  );

/** Inserts parts and returns the call, refused or not. */
export const useInsertParts = (jobId: string, credential: KeyedCredential | null, onInserted: () => void) =>
  useJobCall(
    (parts: PartInsert[], world) =>
      exchangePartner("repairer.jobs.parts.insert", { job_identity: { id: jobId }, parts }, { world, key: credential }),
    () => jobId,
    { onSuccess: ({ ok }) => ok && onInserted() },
  );

/** Deletes a job by the extension. */
export const useDeleteJob = (jobId: string, credential: KeyedCredential, onSuccess: () => void) =>
  useJobCall(
    (_sent: undefined, world) =>
      callPartner("repairer.jobs.delete", { identity: { id: jobId } }, { world, key: credential }),
    () => jobId,
    { onSuccess },
  );

/** Places orders and opens them, unless the person has left the page. */
export const usePlaceOrders = (jobId: string, credential: KeyedCredential | null, onPlaced: () => void) => {
  const world = useWorld();
  const changed = useJobChanged();
  const navigateAfter = useNavigateAfter();
  return useMutation({
    mutationFn: (ids: readonly string[]) => {
      const body = { job_identity: { id: jobId }, sellable_ids: [...ids] };
      return callPartner("repairer.procurements.place", body, { world, key: credential });
    },
    onMutate: currentLocation,
    onSuccess: ({ items }, _ids, askedAt) => {
      onPlaced();
      const link = { href: hrefs.job(jobId, "procurements"), label: "View orders", world };
      navigateAfter(askedAt, link, {
        title: `${plural(items.length, "order")} placed`,
        detail: `${items.length * 2} events.`,
      });
      changed(jobId);
    },
    onError: (error, _ids, askedAt) => {
      const link = { href: hrefs.job(jobId, "basket"), label: "Open basket", world };
      if (currentLocation() !== askedAt) notify.failed("Place orders", error, link);
    },
  });
};
