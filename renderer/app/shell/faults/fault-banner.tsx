import { IconBolt } from "@tabler/icons-react";
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Fault } from "../../../../sandbox/contract/control/fault-rows.ts";
import { Button } from "../../../components/button.tsx";
import { plural } from "../../../lib/formatting.ts";
import { callControl } from "../../../lib/service-client.ts";
import { useNow, useNowText } from "../../../lib/world-clock.ts";
import { notify } from "../../notices.tsx";
import { worldKeys } from "../../query-keys.ts";
import { useWorld } from "../../world.ts";
import { Banner } from "../banner.tsx";
import { armedOf, leftOfFault } from "./fault-words.ts";

const faultsQuery = (world: string) =>
  queryOptions({
    queryKey: worldKeys(world).faults(),
    queryFn: async ({ signal }) => (await callControl("faults.list", { world }, { signal })).items,
  });

const useClearFaults = () => {
  const world = useWorld();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string | null) => callControl("faults.clear", id === null ? { world } : { world, id }),
    onSuccess: ({ cleared }) => {
      notify.done({ title: `${plural(cleared, "fault")} cleared` });
      // The button goes with the banner, and would take the focus with it.
      document.getElementById("place")?.focus();
    },
    onError: (error) => notify.failed("Clear the faults", error),
    onSettled: () => client.invalidateQueries({ queryKey: worldKeys(world).faults() }),
  });
};

const What = ({ fault }: { fault: Fault }) => {
  const now = useNow("real", 1000);
  return (
    <>
      {fault.name !== null && <span className="w5">{fault.name}: </span>}
      {fault.sentence} <span className="t2">It {leftOfFault(fault, now)}.</span>
    </>
  );
};

/** While calls fail on purpose, it says so under the top bar, whichever place is in sight. */
export const FaultBanner = () => {
  const { data } = useQuery(faultsQuery(useWorld()));
  const clear = useClearFaults();
  const count = Number(useNowText("real", (now) => String(armedOf(data ?? [], now).length)));
  const [first, ...more] = armedOf(data ?? [], Date.now());
  if (count === 0 || !first) return null;
  return (
    <Banner
      tone="wait"
      icon={IconBolt}
      label="Faults armed"
      actions={
        <Button small busy={clear.isPending} onClick={() => clear.mutate(more.length === 0 ? first.id : null)}>
          {more.length === 0 ? "Clear" : "Clear all"}
        </Button>
      }
    >
      <b>{plural(count, "fault")} armed.</b> <What fault={first} />
      {more.length > 0 && ` And ${plural(more.length, "other")}.`}
    </Banner>
  );
};
