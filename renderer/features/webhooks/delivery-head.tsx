import { IconSend } from "@tabler/icons-react";
import { useLocation } from "wouter";
import type { Delivery } from "../../../sandbox/contract/control/rows.ts";
import { notify } from "../../app/notices.tsx";
import { hasPlace, hrefs } from "../../app/places.ts";
import { Button } from "../../components/button.tsx";
import { TextLink } from "../../components/link.tsx";
import { SideGlyph } from "../../components/side.tsx";
import { State } from "../../components/state.tsx";
import { useKeys } from "../../components/use-keys.ts";
import { useSendAgain } from "./mutations.ts";

/** The thing a notification is about, linked where its place exists: the procurement, else the job. */
export const About = ({ delivery }: { delivery: Pick<Delivery, "job_id" | "procurement_id" | "label"> }) => {
  const { job_id, procurement_id, label } = delivery;
  if (procurement_id !== null && hasPlace("procurements"))
    return <TextLink href={hrefs.procurement(procurement_id)}>{label}</TextLink>;
  if (procurement_id === null && hasPlace("jobs")) return <TextLink href={hrefs.job(job_id)}>{label}</TextLink>;
  return <span>{label}</span>;
};

/** What it is, how it stands, what it is about, and the way to send it once more. */
export const DeliveryHead = ({ delivery }: { delivery: Delivery }) => {
  const [, navigate] = useLocation();
  const sendAgain = useSendAgain();
  const send = () => {
    if (sendAgain.isPending) return;
    sendAgain.mutate(delivery.id, {
      onSuccess: (made) => {
        navigate(hrefs.delivery(made.id));
        notify.done({
          title: "Sent again",
          detail: "A delivery of its own: the same message_id, a fresh stamp and signature.",
          link: { href: hrefs.delivery(delivery.id), label: "The one before" },
        });
      },
    });
  };
  useKeys("Webhooks", [{ keys: ["s"], label: "Send this notification again", run: send }]);
  return (
    <header className="webhooks-head">
      <SideGlyph side={delivery.side} labelled />
      <h2 className="m">{delivery.event_type}</h2>
      <State of={delivery.status} pill />
      <span className="row el">
        <About delivery={delivery} /> <span className="t3 m11 el">{delivery.announces}</span>
      </span>
      <span className="grow" />
      <Button small icon={IconSend} keys="s" busy={sendAgain.isPending} onClick={send}>
        Send again
      </Button>
    </header>
  );
};
