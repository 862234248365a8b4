import { IconX } from "@tabler/icons-react";
import { type ReactNode, useEffect, useRef } from "react";
import type { BuyerProcurement } from "../../../../sandbox/contract/resources/procurement.ts";
import { hrefs } from "../../../app/places.ts";
import { IconButton } from "../../../components/button.tsx";
import { TextLink } from "../../../components/link.tsx";
import { State } from "../../../components/state.tsx";
import { plural } from "../../../lib/formatting.ts";

interface PlacedProps {
  readonly placed: readonly BuyerProcurement[];
  readonly jobId: string;
  readonly onClose: () => void;
  /** What else there is to do, before it is closed. */
  readonly children: ReactNode;
}

/** What the last placing made, with the way to it, until something else is chosen. */
export const Placed = ({ placed, jobId, onClose, children }: PlacedProps) => {
  const box = useRef<HTMLElement>(null);
  // The button that was pressed is off now: whoever pressed it by keyboard goes on from here.
  useEffect(() => box.current?.querySelector("a")?.focus(), []);
  return (
    <section ref={box} className="jobs-placed row" aria-label="Orders placed">
      <State of="order_requested">{plural(placed.length, "procurement")} requested</State>
      <span className="row row-3 wrap grow t12">
        {placed.map((one) => (
          <span key={one.id} className="row row-1">
            <TextLink href={hrefs.procurement(one.id)}>{one.reference ?? one.id}</TextLink>
            <span className="t2">{one.supplier_business.name}</span>
          </span>
        ))}
      </span>
      {placed.length > 1 && (
        <span className="t12">
          <TextLink href={hrefs.job(jobId, "procurements")}>All of this job</TextLink>
        </span>
      )}
      {children}
      <IconButton small icon={IconX} label="Close" onClick={onClose} />
    </section>
  );
};
