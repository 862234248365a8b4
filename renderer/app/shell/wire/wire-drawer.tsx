import { IconTerminal2 } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { Button } from "../../../components/button.tsx";
import { NothingYet } from "../../../components/empty.tsx";
import { Failing } from "../../../components/failing.tsx";
import { Loading } from "../../../components/loading.tsx";
import { callControl } from "../../../lib/service-client.ts";
import { ServiceFailure } from "../../../lib/service-failure.ts";
import { worldKeys } from "../../query-keys.ts";
import { useUi } from "../../ui-store.ts";
import { useWireShows } from "../../wire-shows.ts";
import { useWorld } from "../../world.ts";
import { recentRequestsQuery } from "../../world-queries.ts";
import { ExchangeList } from "./exchange-list.tsx";
import { ExchangePanes } from "./exchange-panes.tsx";
import { useListed } from "./listed.ts";

const NotRead = ({ error, onRetry, onFollow }: { error: Error; onRetry: () => void; onFollow: () => void }) =>
  error instanceof ServiceFailure && error.status === 404 ? (
    <NothingYet
      icon={IconTerminal2}
      title="This exchange is not kept any more"
      actions={
        <Button small onClick={onFollow}>
          Show the newest
        </Button>
      }
    >
      The world was seeded anew, or forgot it with what is old; or it was an exchange of another world.
    </NothingYet>
  ) : (
    <Failing what="The exchange" error={error} onRetry={onRetry} />
  );

/** The last exchanges, plainly: what was sent and what came back, credentials masked. */
export const WireDrawer = () => {
  const world = useWorld();
  const height = useUi((state) => state.wireHeight);
  const chosen = useWireShows();
  const setChosen = useUi((state) => state.showInWire);
  const box = useRef<HTMLDivElement>(null);
  const listed = useListed();
  // Nothing chosen means the newest of those listed, so that the drawer follows what happens until someone looks closer.
  const id = chosen ?? listed.rows[0]?.id ?? null;
  const { data, error, refetch } = useQuery({
    queryKey: worldKeys(world).requests("one", id),
    enabled: id !== null,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => callControl("requests.get", { id: id ?? "", world }, { signal }),
    placeholderData: (previous) => previous,
  });
  useEffect(() => {
    // In a narrow window the list gives way to what was chosen in it, and the other way round.
    const lost = document.activeElement === null || document.activeElement === document.body;
    if (!lost) return;
    const to = chosen === null ? ".wire-exchanges [aria-current]" : ".wire-back button";
    const target = box.current?.querySelector<HTMLElement>(to);
    if (target?.checkVisibility()) target.focus();
  }, [chosen]);
  const { data: recent } = useQuery(recentRequestsQuery(world));
  if (recent?.items.length === 0 && chosen === null)
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
          listed={listed}
          shown={id}
          chosen={chosen}
          onChoose={(one) => setChosen(one === chosen ? null : one)}
          onFollow={() => setChosen(null)}
        />
        {id === null ? (
          <div />
        ) : data ? (
          <ExchangePanes detail={data} onBack={() => setChosen(null)} />
        ) : error ? (
          <NotRead error={error} onRetry={() => void refetch()} onFollow={() => setChosen(null)} />
        ) : (
          <Loading what="the exchange" />
        )}
      </div>
    </div>
  );
};
