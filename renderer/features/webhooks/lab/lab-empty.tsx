import { IconFlask } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { worldKeys } from "../../../app/query-keys.ts";
import { useWorld } from "../../../app/world.ts";
import { Button } from "../../../components/button.tsx";
import { NothingYet } from "../../../components/empty.tsx";
import { bytesFromBase64 } from "../../../lib/bytes.ts";
import { callControl } from "../../../lib/service-client.ts";
import { signatureOf } from "../message/notification.ts";
import { useLab } from "./lab-store.ts";

const useNewest = () => {
  const world = useWorld();
  return useQuery({
    queryKey: worldKeys(world).deliveries("newest-sent"),
    queryFn: async ({ signal }) => {
      const { items } = await callControl("deliveries.list", { status: "delivered", limit: 1, world }, { signal });
      return items[0] ? callControl("deliveries.get", { id: items[0].id, world }, { signal }) : null;
    },
  }).data;
};

/** The lab is empty: what it is for, and something to begin with. */
export const EmptyLab = () => {
  const newest = useNewest();
  const load = useLab((state) => state.load);
  const attempt = newest?.attempts.at(-1);
  return (
    <div className="webhooks-first">
      <NothingYet
        icon={IconFlask}
        title="Paste what arrived"
        actions={
          newest &&
          attempt && (
            <Button
              onClick={() =>
                load({
                  body: bytesFromBase64(attempt.request_body_base64),
                  header: signatureOf(attempt),
                  at: attempt.started_at,
                  from: `try ${attempt.number} of ${newest.event_type} ${newest.label}`,
                })
              }
            >
              Take the newest delivery
            </Button>
          )
        }
      >
        A body, its header and a secret: the lab walks the four steps of the verification and says what is wrong, down
        to the wrong secret, a body that was printed again, hex instead of base64 or a clock that is off.
      </NothingYet>
    </div>
  );
};
