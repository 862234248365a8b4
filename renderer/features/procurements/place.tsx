import { IconArrowsExchange } from "@tabler/icons-react";
import type { PlaceProps } from "../../app/places.ts";
import { usePageTitle } from "../../app/titles.ts";
import { NothingYet } from "../../components/empty.tsx";
import { Kbd } from "../../components/kbd.tsx";
import { Split } from "../../components/split.tsx";
import { ProcurementDetail } from "./detail.tsx";
import { ProcurementList } from "./procurement-list.tsx";
import "./procurements.css";
import "./procurements-fields.css";
import "./procurements-next.css";
import "./procurements-wire.css";

const NoneChosen = () => {
  usePageTitle("Procurements");
  return (
    <NothingYet icon={IconArrowsExchange} title="Choose a procurement">
      Its two sides stand beside each other, as each side’s operation answers them, with what may happen next.{" "}
      <Kbd keys="j" /> and <Kbd keys="k" /> move through the list, <Kbd keys="enter" /> opens.
    </NothingYet>
  );
};

/** Orders and their states: the list by state, and one procurement as its buyer and its supplier see it. */
export const Place = ({ id, tab }: PlaceProps) => (
  <Split
    name="procurements"
    label="Procurements"
    initial={248}
    list={<ProcurementList selected={id?.toLowerCase() ?? null} />}
    detail={id ? <ProcurementDetail key={id} id={id.toLowerCase()} tab={tab} /> : <NoneChosen />}
  />
);
