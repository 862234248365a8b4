import { IconWebhook } from "@tabler/icons-react";
import type { Subscription } from "../../../../sandbox/contract/control/rows.ts";
import { useActAs } from "../../../app/acting.ts";
import { notify } from "../../../app/notices.tsx";
import { Button } from "../../../components/button.tsx";
import { announce } from "../../../lib/announce.ts";
import { sinkUrl, useSubscribe } from "../mutations.ts";

/** One click: whoever this window acts as, on both sides, receives at the reference sink. Gone once that is so. */
export const BothSides = ({
  subscriptions,
  primary = false,
}: {
  subscriptions: readonly Subscription[];
  primary?: boolean;
}) => {
  const buyer = useActAs("repairer").credential;
  const supplier = useActAs("supplier").credential;
  const subscribe = useSubscribe();
  const url = sinkUrl();
  const missing = [buyer, supplier].flatMap((credential) =>
    credential && !subscriptions.some((one) => one.integration_id === credential.integration_id && one.url === url)
      ? [{ integration_id: credential.integration_id, url }]
      : [],
  );
  if (missing.length === 0) return null;
  return (
    <Button
      small={!primary}
      look={primary ? "primary" : "default"}
      icon={IconWebhook}
      busy={subscribe.isPending}
      onClick={() =>
        subscribe.mutate(missing, {
          onSuccess: () => announce("Both sides are subscribed to the reference sink"),
          onError: (error) => notify.failed("Subscribe both sides", error),
        })
      }
    >
      Subscribe both sides to the reference sink
    </Button>
  );
};
