import { IconTerminal2 } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { requestsGet } from "../../../sandbox/contract/control/operations.ts";
import type { RequestDetail, RequestRow } from "../../../sandbox/contract/control/rows.ts";
import { NothingYet } from "../../components/empty.tsx";
import { Failing } from "../../components/failing.tsx";
import { HeadersView } from "../../components/headers-view.tsx";
import { HttpStatus } from "../../components/http-status.tsx";
import { JsonView } from "../../components/json-view.tsx";
import { Loading } from "../../components/loading.tsx";
import { SideGlyph } from "../../components/side.tsx";
import { Time } from "../../components/time.tsx";
import { formatBytes, formatMs } from "../../lib/formatting.ts";
import { callControl } from "../../lib/service-client.ts";
import { worldKeys } from "../query-keys.ts";
import { useUi } from "../ui-store.ts";
import { useWorld } from "../world.ts";
import { callName } from "./call-name.ts";

const Body = ({ text, label }: { text: string; label: string }) => {
  if (text === "") return <span className="code x">no body</span>;
  try {
    return <JsonView value={JSON.parse(text)} label={label} foldFrom={4} />;
  } catch {
    return <pre className="code wrapped">{text}</pre>;
  }
};

const Exchange = ({ detail }: { detail: RequestDetail }) => (
  <>
    <section className="wire-pane" aria-label="Request">
      <h3 className="row t12">
        <SideGlyph side={detail.side} labelled />
        Request
        <span className="grow" />
        <span className="m11 t3">
          {detail.method}, {formatBytes(detail.request_bytes)}
        </span>
      </h3>
      <HeadersView headers={detail.request_headers} label="Request headers" />
      <Body text={detail.request_body} label="request" />
    </section>
    <section className="wire-pane" aria-label="Response">
      <h3 className="row t12">
        Response
        <span className="grow" />
        <HttpStatus status={detail.status} />
        <span className="t3">{formatMs(detail.duration_ms)}</span>
      </h3>
      <HeadersView headers={detail.response_headers} label="Response headers" />
      <Body text={detail.response_body} label="response" />
    </section>
  </>
);

/** The last exchanges, plainly: what was sent and what came back, credentials masked. */
export const WireDrawer = ({ rows }: { rows: readonly RequestRow[] }) => {
  const world = useWorld();
  const height = useUi((state) => state.wireHeight);
  const chosen = useUi((state) => state.wireShows);
  const setChosen = useUi((state) => state.showInWire);
  // Nothing chosen means the newest, so that the drawer follows what happens until someone looks closer.
  const id = chosen ?? rows[0]?.id ?? null;
  const { data, error, refetch } = useQuery({
    queryKey: worldKeys(world).requests("one", id),
    enabled: id !== null,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => callControl(requestsGet, { id: id ?? "", world }, { signal }),
    placeholderData: (previous) => previous,
  });
  if (rows.length === 0)
    return (
      <NothingYet icon={IconTerminal2} title="No exchange yet">
        Every call that reaches the service shows here, whoever makes it.
      </NothingYet>
    );
  return (
    <div className="wire-drawer" style={{ height }}>
      <ul className="wire-list scroll" aria-label="Last exchanges">
        {rows.map((row) => (
          <li key={row.id}>
            <button
              type="button"
              className={`wire-row${row.id === id ? " sel" : ""}`}
              aria-current={row.id === id ? "true" : undefined}
              onClick={() => setChosen(row.id === chosen ? null : row.id)}
            >
              <span className="t12 t3">
                <Time at={row.at} as="clock" on="real" />
              </span>
              <SideGlyph side={row.side} labelled />
              <span className="op el" title={row.outcome}>
                {callName(row)}
              </span>
              <HttpStatus status={row.status} />
            </button>
          </li>
        ))}
      </ul>
      {error ? (
        <Failing what="The exchange" error={error} onRetry={() => void refetch()} />
      ) : data ? (
        <Exchange detail={data} />
      ) : (
        <Loading what="the exchange" />
      )}
    </div>
  );
};
