import { IconCheck, IconLink, IconTimeline } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { Delivery } from "../../../../sandbox/contract/control/rows.ts";
import { linkTo } from "../../../app/addresses.tsx";
import { hasPlace, hrefs } from "../../../app/places.ts";
import { useUi } from "../../../app/ui-store.ts";
import { IconButton } from "../../../components/button.tsx";
import { useCopied } from "../../../components/id.tsx";
import { TextLink } from "../../../components/link.tsx";
import { SideGlyph } from "../../../components/side.tsx";
import { State } from "../../../components/state.tsx";
import { useKeys } from "../../../components/use-keys.ts";

/** The thing a notification is about, linked where its place exists: the procurement, else the job. */
export const About = ({ delivery }: { delivery: Pick<Delivery, "job_id" | "procurement_id" | "label"> }) => {
  const { job_id, procurement_id, label } = delivery;
  if (procurement_id !== null && hasPlace("procurements"))
    return <TextLink href={hrefs.procurement(procurement_id)}>{label}</TextLink>;
  if (procurement_id === null && hasPlace("jobs")) return <TextLink href={hrefs.job(job_id)}>{label}</TextLink>;
  return <span>{label}</span>;
};

/** Its address for someone else, and the exchange all of this began with. */
const WaysToIt = ({ delivery }: { delivery: Delivery }) => {
  const showInWire = useUi((state) => state.showInWire);
  const [copied, copy] = useCopied(linkTo(hrefs.delivery(delivery.id)), "the address of this delivery");
  useKeys("Webhooks", [{ keys: ["c"], label: "Copy this delivery’s address", run: copy }]);
  return (
    <span className="row row-1">
      <IconButton
        small
        icon={IconTimeline}
        label="Trace: the exchange it began with, on the wire"
        onClick={() => showInWire(delivery.trace_id)}
      />
      <IconButton small icon={copied ? IconCheck : IconLink} label="Copy link" onClick={copy} />
    </span>
  );
};

/** What it is, how it stands and what it is about; what can be done with it at the right. */
export const DeliveryHead = ({ delivery, children }: { delivery: Delivery; children: ReactNode }) => (
  <header className="webhooks-head">
    <SideGlyph side={delivery.side} labelled />
    <h2 className="m">{delivery.event_type}</h2>
    <State of={delivery.status} pill />
    <span className="row el">
      <About delivery={delivery} /> <span className="t3 m11 el webhooks-announces">{delivery.announces}</span>
    </span>
    <span className="grow" />
    <WaysToIt delivery={delivery} />
    {children}
  </header>
);
