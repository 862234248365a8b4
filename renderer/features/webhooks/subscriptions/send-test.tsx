import { IconSend } from "@tabler/icons-react";
import type { Subscription } from "../../../../sandbox/contract/control/rows.ts";
import { notify } from "../../../app/notices.tsx";
import { hrefs } from "../../../app/places.ts";
import { useControl } from "../../../app/use-control.ts";
import { Button } from "../../../components/button.tsx";
import { useSends } from "../queries.ts";

/** What each side's test event is, in the contract's words. */
const testEvents = { repairer: "repairer.jobs", supplier: "supplier.procurements" } as const;

export const SendTest = ({ subscription: { id, scope, paused_at } }: { subscription: Subscription }) => {
  const sends = useSends();
  const send = useControl("subscriptions.send-test", {
    stale: (keys) => [keys.deliveries()],
    failed: "Send a test event",
  });
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
        send.mutate(
          { id },
          {
            onSuccess: (made) =>
              notify.done({
                title: paused_at === null ? "Test event queued" : "Test event waits: the subscription is paused",
                detail: `A signed ${made.event_type} to this subscription alone. What it names does not exist.`,
                link: { href: hrefs.delivery(made.id), label: "Its delivery" },
              }),
          },
        )
      }
    >
      Send a test event
    </Button>
  );
};
