import { Menu } from "@mantine/core";
import { IconChevronDown, IconSend } from "@tabler/icons-react";
import { useState } from "react";
import { useLocation } from "wouter";
import type { Delivery } from "../../../../sandbox/contract/control/rows.ts";
import { type DrillName, drillNames, drills } from "../../../../sandbox/contract/drills.ts";
import { notify } from "../../../app/notices.tsx";
import { hrefs } from "../../../app/places.ts";
import { Button, IconButton } from "../../../components/button.tsx";
import { useKeys } from "../../../components/use-keys.ts";
import { changedQuery, useAddressQuery } from "../addresses.ts";
import { useWhyNoDrill } from "../drills/drill-source.ts";
import type { Drilling } from "../drills/run-drills.ts";
import { mustWords } from "../drills/score.ts";
import { useSendAgain } from "../mutations.ts";

const DrillChoice = ({ drill, onChoose }: { drill: DrillName; onChoose: () => void }) => {
  const { title, sends, expects } = drills[drill];
  return (
    <Menu.Item onClick={onChoose}>
      <span className="webhooks-choice">
        <b className="w5">{title}</b>
        <span className="t12 t3">must {mustWords(expects)}</span>
        <span className="t12 t2">{sends}</span>
      </span>
    </Menu.Item>
  );
};

/** Sends a notification once more as it was, which is a delivery of its own, or as a drill, which is none. */
export const SendMenu = ({ delivery, drilling }: { delivery: Delivery; drilling: Drilling }) => {
  const [open, setOpen] = useState(false);
  const [, navigate] = useLocation();
  const { query, change } = useAddressQuery();
  const sendAgain = useSendAgain();
  const why = useWhyNoDrill(delivery.subscription_id);
  const send = () => {
    if (sendAgain.isPending) return;
    sendAgain.mutate(delivery.id, {
      onSuccess: (made) => {
        navigate(hrefs.delivery(made.id) + changedQuery(query, { drill: null }));
        notify.done({
          title: "Sent again",
          detail: "A delivery of its own: the same message_id, a fresh stamp and signature.",
          link: { href: hrefs.delivery(delivery.id), label: "The one before" },
        });
      },
    });
  };
  const drill = (name: DrillName) => {
    change({ show: "drills", drill: name });
    drilling.run(name, delivery.id);
  };
  useKeys("Webhooks", [
    { keys: ["s"], label: "Send this notification again", run: send },
    { keys: ["d"], label: "Send it as a drill", enabled: why === null, run: () => setOpen(true) },
  ]);
  return (
    <span className="webhooks-send">
      <Button small icon={IconSend} keys="s" busy={sendAgain.isPending} onClick={send}>
        Send again
      </Button>
      <Menu position="bottom-end" width={400} opened={open} onChange={setOpen}>
        <Menu.Target>
          <IconButton
            small
            look="default"
            icon={IconChevronDown}
            label={why ?? "Send it as a drill"}
            disabled={why !== null}
          />
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>As a drill: on purpose repeated, or with one thing wrong</Menu.Label>
          {drillNames.map((name) => (
            <DrillChoice key={name} drill={name} onChoose={() => drill(name)} />
          ))}
        </Menu.Dropdown>
      </Menu>
    </span>
  );
};
