import { IconCheck, IconChevronLeft, IconLink } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useLocation } from "wouter";
import type { ProcurementRow } from "../../../../sandbox/contract/control/rows.ts";
import { hasPlace, hrefs } from "../../../app/places.ts";
import { useWorld } from "../../../app/world.ts";
import { IconButton, LinkButton } from "../../../components/button.tsx";
import { useCopied } from "../../../components/id.tsx";
import { TextLink } from "../../../components/link.tsx";
import { Money } from "../../../components/money.tsx";
import { Plate } from "../../../components/plate.tsx";
import { State } from "../../../components/state.tsx";
import { Segmented } from "../../../components/tabs.tsx";
import { Time } from "../../../components/time.tsx";
import { useKeys } from "../../../components/use-keys.ts";
import { plural } from "../../../lib/formatting.ts";
import { sharedAddress } from "../address.ts";
import { movedTo } from "../moves.ts";
import { movesQuery } from "../queries.ts";
import type { Address } from "../use-address.ts";
import { nameOf } from "../words.ts";
import { type DetailTab, detailTabs, tabPath } from "./tabs.ts";

interface Props {
  readonly row: ProcurementRow;
  readonly tab: DetailTab;
  readonly address: Address;
}

const CopyLink = ({ row, tab }: { row: ProcurementRow; tab: DetailTab }) => {
  const text = sharedAddress(window.location.origin, useWorld(), row.id, tabPath(tab));
  const [copied, copy] = useCopied(text, `the address of ${nameOf(row)}`);
  return <IconButton small icon={copied ? IconCheck : IconLink} label="Copy link" onClick={copy} />;
};

/** Escape means something else in a field, and in what lies beside the place. */
const leavesDetail = ({ target }: KeyboardEvent): boolean =>
  target === document.body ||
  (target instanceof HTMLElement && !target.matches("input, textarea, select") && target.closest("#place") !== null);

/** Back to the board, which waits beneath as it was left. */
const BackToBoard = ({ href }: { href: string }) => {
  const [, navigate] = useLocation();
  useKeys("Procurement", [
    {
      keys: ["esc"],
      label: "Back to the board",
      when: leavesDetail,
      run: () => navigate(href),
    },
  ]);
  return (
    <LinkButton small look="quiet" href={href} icon={IconChevronLeft}>
      Board
    </LinkButton>
  );
};

const About = ({ row, address }: { row: ProcurementRow; address: Address }) => {
  const moves = useQuery(movesQuery(useWorld(), row.id));
  const placing = moves.data?.items.find(
    (request) => request.operation === "repairer.procurements.place" && movedTo(request) !== null,
  );
  const job = row.job_number ?? row.job_id.slice(0, 8);
  return (
    <div className="procurements-about t12 t2">
      <span>for {hasPlace("jobs") ? <TextLink href={hrefs.job(row.job_id)}>{job}</TextLink> : job}</span>
      {row.plate_number && <Plate plate={row.plate_number} />}
      <span>{plural(row.items, "item")}</span>
      <Money amount={row.total} currency={row.currency_code} />
      <span className="el">
        placed <Time at={row.created_at} />
        {placing && (
          <>
            {" "}
            by <TextLink href={address.hrefOfTab(row.id, "history")}>trace {placing.trace_id.slice(0, 6)}</TextLink>
          </>
        )}
      </span>
    </div>
  );
};

/** What is open: its name and state, what it is about, and the views of it. */
export const DetailHead = ({ row, tab, address }: Props) => {
  const [, navigate] = useLocation();
  const title = useRef<HTMLHeadingElement>(null);
  const onBoard = address.view === "board";
  useEffect(() => {
    // The board's card that was pressed is covered now; what it led to takes the focus.
    if (onBoard) title.current?.focus();
  }, [onBoard]);
  const show = (next: DetailTab) => navigate(address.hrefOfTab(row.id, tabPath(next)));
  useKeys(
    "Procurement",
    detailTabs.map(({ value, label }, index) => ({
      keys: [String(index + 1)],
      label: `Show ${value === "json" ? label : label.toLowerCase()}`,
      run: () => show(value),
    })),
  );
  return (
    <header className="procurements-head">
      <div className="procurements-head-line">
        {onBoard && <BackToBoard href={address.href} />}
        <h2 ref={title} tabIndex={-1} className="t15 nw">
          {nameOf(row)}
        </h2>
        <State of={row.status} pill />
        <CopyLink row={row} tab={tab} />
        <span className="grow" />
        <Segmented label="View" options={detailTabs} value={tab} onChange={show} />
      </div>
      <About row={row} address={address} />
    </header>
  );
};
