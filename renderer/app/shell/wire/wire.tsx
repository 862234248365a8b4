import { IconChevronDown, IconChevronUp } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Suspense } from "react";
import type { RequestRow } from "../../../../sandbox/contract/control/rows.ts";
import { HttpStatus } from "../../../components/http-status.tsx";
import { Icon } from "../../../components/icon.tsx";
import { Kbd } from "../../../components/kbd.tsx";
import { Loading } from "../../../components/loading.tsx";
import { SideGlyph } from "../../../components/side.tsx";
import { Time } from "../../../components/time.tsx";
import { useKeys } from "../../../components/use-keys.ts";
import { formatMs, plural } from "../../../lib/formatting.ts";
import { useUi } from "../../ui-store.ts";
import { useWorld } from "../../world.ts";
import { recentRequestsQuery } from "../../world-queries.ts";
import { callName } from "../call-name.ts";
import { WireDrawer } from "../later.ts";
import { WireHandle } from "./wire-handle.tsx";

const LastExchange = ({ row }: { row: RequestRow }) => (
  <>
    <span className="t3">
      <Time at={row.at} as="clock" on="real" />
    </span>
    <SideGlyph side={row.side} labelled />
    <span className="m el">{callName(row)}</span>
    <HttpStatus status={row.status} />
    <span>{formatMs(row.duration_ms)}</span>
    <span className="t3 el">
      {row.outcome}
      {row.events > 0 ? `, ${plural(row.events, "event")}` : ""}
    </span>
  </>
);

/** The last exchange on the wire, always in sight; opened, the last hundred with their bodies. */
export const Wire = () => {
  const wireOpen = useUi((state) => state.wireOpen);
  const toggleWire = useUi((state) => state.toggleWire);
  const { data } = useQuery(recentRequestsQuery(useWorld()));
  useKeys("Everywhere", [{ keys: ["~", "`"], label: "Show or hide the wire", run: toggleWire }]);
  const last = data?.items[0];
  return (
    <section className="wire" aria-label="Wire">
      {wireOpen && <WireHandle />}
      <button type="button" className="wirebar" aria-expanded={wireOpen} onClick={toggleWire}>
        <span aria-hidden="true">
          <Kbd keys="~" />
        </span>
        <span className="w5 ink">Wire</span>
        {last ? (
          <LastExchange row={last} />
        ) : (
          <span className="t3 el">{data ? "no exchange yet; every call to the service shows here" : ""}</span>
        )}
        <span className="grow" />
        {data && data.total > 0 && <span className="t3 wire-total">{plural(data.total, "exchange")}</span>}
        <Icon of={wireOpen ? IconChevronDown : IconChevronUp} size={14} />
      </button>
      {wireOpen && (
        <Suspense fallback={<Loading what="the wire" />}>
          <WireDrawer rows={data?.items ?? []} total={data?.total ?? 0} />
        </Suspense>
      )}
    </section>
  );
};
