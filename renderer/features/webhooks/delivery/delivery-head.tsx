import type { ReactNode } from "react";
import type { Delivery } from "../../../../sandbox/contract/control/rows.ts";
import { hasPlace, hrefs } from "../../../app/places.ts";
import { TextLink } from "../../../components/link.tsx";
import { SideGlyph } from "../../../components/side.tsx";
import { State } from "../../../components/state.tsx";

/** The thing a notification is about, linked where its place exists: the procurement, else the job. */
export const About = ({ delivery }: { delivery: Pick<Delivery, "job_id" | "procurement_id" | "label"> }) => {
  const { job_id, procurement_id, label } = delivery;
  if (procurement_id !== null && hasPlace("procurements"))
    return <TextLink href={hrefs.procurement(procurement_id)}>{label}</TextLink>;
  if (procurement_id === null && hasPlace("jobs")) return <TextLink href={hrefs.job(job_id)}>{label}</TextLink>;
  return <span>{label}</span>;
};

/** What it is, how it stands and what it is about; what can be done with it at the right. */
export const DeliveryHead = ({ delivery, children }: { delivery: Delivery; children: ReactNode }) => (
  <header className="webhooks-head">
    <SideGlyph side={delivery.side} labelled />
    <h2 className="m">{delivery.event_type}</h2>
    <State of={delivery.status} pill />
    <span className="row el">
      <About delivery={delivery} /> <span className="t3 m11 el">{delivery.announces}</span>
    </span>
    <span className="grow" />
    {children}
  </header>
);
