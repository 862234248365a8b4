import { IconTerminal2 } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { requestsGet } from "../../../../sandbox/contract/control/operations.ts";
import type { RequestRow } from "../../../../sandbox/contract/control/rows.ts";
import { NothingYet } from "../../../components/empty.tsx";
import { Failing } from "../../../components/failing.tsx";
import { Loading } from "../../../components/loading.tsx";
import { callControl } from "../../../lib/service-client.ts";
import { worldKeys } from "../../query-keys.ts";
import { useUi } from "../../ui-store.ts";
import { useWorld } from "../../world.ts";
import { ExchangeList } from "./exchange-list.tsx";
import { ExchangePanes } from "./exchange-panes.tsx";

/** The last exchanges, plainly: what was sent and what came back, credentials masked. */
export const WireDrawer = ({ rows, total }: { rows: readonly RequestRow[]; total: number }) => {
  const world = useWorld();
  const height = useUi((state) => state.wireHeight);
  const chosen = useUi((state) => state.wireShows);
  const setChosen = useUi((state) => state.showInWire);
  const box = useRef<HTMLDivElement>(null);
  // Nothing chosen means the newest, so that the drawer follows what happens until someone looks closer.
  const id = chosen ?? rows[0]?.id ?? null;
  const { data, error, refetch } = useQuery({
    queryKey: worldKeys(world).requests("one", id),
    enabled: id !== null,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => callControl(requestsGet, { id: id ?? "", world }, { signal }),
    placeholderData: (previous) => previous,
  });
  useEffect(() => {
    // In a narrow window the list gives way to what was chosen in it, and the other way round.
    const lost = document.activeElement === null || document.activeElement === document.body;
    if (!lost) return;
    const to = chosen === null ? ".wire-row[aria-current]" : ".wire-back button";
    const target = box.current?.querySelector<HTMLElement>(to);
    if (target?.checkVisibility()) target.focus();
  }, [chosen]);
  if (rows.length === 0)
    return (
      <div className="wire-drawer" style={{ height }}>
        <NothingYet icon={IconTerminal2} title="No exchange yet">
          Every call that reaches the service shows here, whoever makes it.
        </NothingYet>
      </div>
    );
  return (
    <div ref={box} className="wire-drawer" style={{ height }}>
      <div className={`wire-inner${chosen === null ? "" : " chosen"}`}>
        <ExchangeList
          rows={rows}
          shown={id}
          chosen={chosen}
          total={total}
          onChoose={(one) => setChosen(one === chosen ? null : one)}
        />
        {error ? (
          <Failing what="The exchange" error={error} onRetry={() => void refetch()} />
        ) : data ? (
          <ExchangePanes detail={data} onBack={() => setChosen(null)} />
        ) : (
          <Loading what="the exchange" />
        )}
      </div>
    </div>
  );
};
