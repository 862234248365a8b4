import { IconSend } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Subscription } from "../../../../sandbox/contract/control/rows.ts";
import { notify } from "../../../app/notices.tsx";
import { hrefs } from "../../../app/places.ts";
import { worldKeys } from "../../../app/query-keys.ts";
import { useWorld } from "../../../app/world.ts";
import { Button } from "../../../components/button.tsx";
import { callControl } from "../../../lib/service-client.ts";
import { useSends } from "../queries.ts";

const useSendTest = () => {
  const world = useWorld();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => callControl("subscriptions.send-test", { id, world }),
    onSuccess: () => client.invalidateQueries({ queryKey: worldKeys(world).deliveries() }),
    onError: (error) => notify.failed("Send a test event", error),
  });
};

/** What each side's test event is, in the contract's words. */
const testEvents = { repairer: "repairer.jobs", supplier: "supplier.procurements" } as const;

export const SendTest = ({ subscription: { id, scope, paused_at } }: { subscription: Subscription }) => {
  const sends = useSends();
  const send = useSendTest();
  if (scope === null) return null;
  return (
    <Button
      small
      icon={IconSend}
      busy={send.isPending}
      disabled={!sends}
      title={
        sends
          ? `A signed ${testEvents[scope]} to this subscription alone, marked as a test: what it names does not exist`
          : "Deliveries are off: start the service with --deliveries on"
      }
      onClick={() =>
        send.mutate(id, {
          onSuccess: (made) =>
            notify.done({
              title: paused_at === null ? "Test event queued" : "Test event waits: the subscription is paused",
              detail: `A signed ${made.event_type} to this subscription alone. What it names does not exist.`,
              link: { href: hrefs.delivery(made.id), label: "Its delivery" },
            }),
        })
      }
    >
      Send a test event
    </Button>
  );
};
