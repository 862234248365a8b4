import { IconArrowsExchange } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { ProcurementRow } from "../../../../sandbox/contract/control/rows.ts";
import { Boundary } from "../../../app/boundary.tsx";
import { usePageTitle } from "../../../app/titles.ts";
import { useWorld } from "../../../app/world.ts";
import { LinkButton } from "../../../components/button.tsx";
import { NothingYet } from "../../../components/empty.tsx";
import { Read } from "../../../components/read.tsx";
import { FieldsTab } from "../fields/fields-tab.tsx";
import { JsonTab } from "../fields/json-tab.tsx";
import { HistoryTab } from "../history/history-tab.tsx";
import { InvoiceTab } from "../invoice/invoice-tab.tsx";
import { NextPanel } from "../next/next-panel.tsx";
import { procurementRowQuery } from "../queries.ts";
import type { Address } from "../use-address.ts";
import { nameOf } from "../words.ts";
import { DetailHead } from "./detail-head.tsx";
import { type DetailTab, detailTabs, tabIn } from "./tabs.ts";
import { useTwoSides } from "./two-sides.ts";
import { useSpokenChanges, useTransition } from "./use-transition.ts";

interface Props {
  readonly row: ProcurementRow;
  readonly readAt: number;
  readonly tab: DetailTab;
  readonly address: Address;
}

const TwoSided = ({ row, readAt, tab, address }: Props) => {
  const sides = useTwoSides(row);
  const transition = useTransition(row.id);
  usePageTitle(nameOf(row), "Procurements");
  useSpokenChanges(row.id);
  const views = {
    fields: () => <FieldsTab row={row} sides={sides} transition={transition} address={address} />,
    json: () => <JsonTab row={row} sides={sides} transition={transition} />,
    history: () => <HistoryTab row={row} sides={sides} />,
    invoice: () => <InvoiceTab row={row} buyer={sides.buyer} />,
  };
  return (
    <div className="procurements-frame">
      <div className="procurements-detail">
        <section className="procurements-main" aria-label={`Procurement ${nameOf(row)}`}>
          <DetailHead row={row} tab={tab} address={address} />
          <Boundary title={detailTabs.find(({ value }) => value === tab)?.label ?? tab}>{views[tab]()}</Boundary>
        </section>
        <NextPanel row={row} sides={sides} transition={transition} readAt={readAt} address={address} />
      </div>
    </div>
  );
};

const NotThere = ({ id, address }: { id: string; address: Address }) => {
  usePageTitle("Not found", "Procurements");
  return (
    <NothingYet
      icon={IconArrowsExchange}
      title="This world has no such procurement"
      actions={
        <LinkButton small href={address.href}>
          All procurements
        </LinkButton>
      }
    >
      No procurement has the id {id}. The world may have been reset, or the link belongs to another world.
    </NothingYet>
  );
};

/** One procurement as each side sees it, and what may happen to it next. */
export const ProcurementDetail = ({ id, tab, address }: { id: string; tab: string | undefined; address: Address }) => {
  const query = useQuery(procurementRowQuery(useWorld(), id));
  return (
    <Read of={query} what="the procurement" rows={8}>
      {(row) =>
        row === null ? (
          <NotThere id={id} address={address} />
        ) : (
          <TwoSided row={row} readAt={query.dataUpdatedAt} tab={tabIn(tab)} address={address} />
        )
      }
    </Read>
  );
};
