import { EmptyState } from "@mantine/core";
import { IconWebhook } from "@tabler/icons-react";
import { useState } from "react";
import { Button } from "../../renderer/components/button.tsx";
import { Failing, Refusal } from "../../renderer/components/failing.tsx";
import { Skeletons } from "../../renderer/components/read.tsx";
import { Origin } from "../../renderer/domain/decision/origin.tsx";
import { notify } from "../../renderer/kernel/notices/notices.tsx";
import { ServiceFailure, ServiceUnreachable } from "../../renderer/lib/service-failure.ts";
import { Cell, Line } from "./cell.tsx";

const taken = new ServiceFailure(422, "unprocessable", "job_number J-20418 is taken at Penrose by another job");
const forbidden = new ServiceFailure(403, "forbidden", "This key has scope repairer.");
const nothing = () => undefined;

const Crash = () => {
  const [crashed, setCrashed] = useState(false);
  if (crashed) throw new Error("a sample fault");
  return (
    <Button small onClick={() => setCrashed(true)}>
      Let this place fail
    </Button>
  );
};

export const StateCells = () => (
  <>
    <Cell title="Toasts, in place refusal, a fault" span={5}>
      <Line>
        <Button
          small
          onClick={() =>
            notify.done({
              title: "TRC-20397-1 confirmed",
              detail: "2 events, 2 deliveries.",
              link: { href: "/", label: "Open trace", world: "default" },
            })
          }
        >
          Done
        </Button>
        <Button small onClick={() => notify.tell({ title: "This world was seeded anew" })}>
          Tell
        </Button>
        <Button small onClick={() => notify.failed("Confirm", forbidden)}>
          Failed
        </Button>
        <Crash />
      </Line>
      <Refusal failure={taken}>
        <Button small>Update that job</Button>
        <Origin of="assumption" id="D35" />
      </Refusal>
    </Cell>
    <Cell title="Nothing yet" span={3}>
      <EmptyState
        icon={<IconWebhook />}
        title="No subscriptions yet"
        description="Events wait for a receiver. Subscribe your own address or use the built-in one."
      >
        <EmptyState.Actions>
          <Button small>Subscribe</Button>
          <Button small look="quiet">
            Use built-in
          </Button>
        </EmptyState.Actions>
      </EmptyState>
    </Cell>
    <Cell title="Loading" span={3} flush>
      <Skeletons what="sample rows" rows={4} />
    </Cell>
    <Cell title="Failing" span={3} flush>
      <Failing what="the jobs" error={new ServiceUnreachable(Number.POSITIVE_INFINITY)} onRetry={nothing} />
    </Cell>
  </>
);
