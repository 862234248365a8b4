import { Modal } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Fragment } from "react";
import type { RequestRow } from "../../../../sandbox/contract/control/rows.ts";
import { hrefs } from "../../../app/places.ts";
import { useWorld } from "../../../app/world.ts";
import { DiffView } from "../../../components/diff-view.tsx";
import { Failing } from "../../../components/failing.tsx";
import { HeadersView } from "../../../components/headers-view.tsx";
import { HttpStatus } from "../../../components/http-status.tsx";
import { JsonView } from "../../../components/json-view.tsx";
import { TextLink } from "../../../components/link.tsx";
import { Loading } from "../../../components/loading.tsx";
import { Operation } from "../../../components/operation.tsx";
import { SideGlyph } from "../../../components/side.tsx";
import { State } from "../../../components/state.tsx";
import { Time } from "../../../components/time.tsx";
import { formatMs, plural } from "../../../lib/formatting.ts";
import { exchangeQuery, traceQuery } from "../queries.ts";

const Body = ({ text, label }: { text: string; label: string }) => {
  if (text === "") return <span className="t12 t3">no body</span>;
  try {
    return <JsonView value={JSON.parse(text)} label={label} foldFrom={4} />;
  } catch {
    return <pre className="code wrapped">{text}</pre>;
  }
};

const Wire = ({ id }: { id: string }) => {
  const { data, error } = useQuery(exchangeQuery(useWorld(), id));
  if (error) return <Failing what="The exchange" error={error} />;
  if (!data) return <Loading what="the exchange" />;
  return (
    <div className="jobs-exchange">
      <section aria-label="Request">
        <h3 className="h2">Request</h3>
        <HeadersView headers={data.request_headers} label="Request headers" />
        <Body text={data.request_body} label="request" />
      </section>
      <section aria-label="Answer">
        <h3 className="h2 row">
          Answer <HttpStatus status={data.status} />
          <span className="t12 t3">{formatMs(data.duration_ms)}</span>
        </h3>
        <HeadersView headers={data.response_headers} label="Answer headers" />
        <Body text={data.response_body} label="answer" />
      </section>
    </div>
  );
};

/** What a call set in motion: state, events, deliveries. */
const Chain = ({ traceId }: { traceId: string }) => {
  const { data, error } = useQuery(traceQuery(useWorld(), traceId));
  if (error) return <Failing what="The trace" error={error} />;
  if (!data) return <Loading what="the trace" />;
  if (data.changes.length + data.events.length === 0)
    return <p className="t12 t3">It changed nothing and emitted no event.</p>;
  return (
    <>
      <h3 className="h2">What changed</h3>
      {data.changes.map((change) => (
        <DiffView
          key={`${change.entity} ${change.id}`}
          title={`${change.label}, ${change.change}`}
          before={change.before}
          after={change.after}
        />
      ))}
      <h3 className="h2">
        {plural(data.events.length, "event")}, {plural(data.deliveries.length, "delivery", "deliveries")}
      </h3>
      <ul className="col">
        {data.events.map((event) => (
          <li key={event.id} className="row t12">
            <SideGlyph side={event.event_type.startsWith("supplier") ? "supplier" : "repairer"} labelled />
            <span className="m">{event.event_type}</span>
            <span className="t2">{event.label}</span>
            <span className="t3">{event.deliveries === 0 ? "no subscription: nothing to deliver" : ""}</span>
            {data.deliveries
              .filter(({ event_id }) => event_id === event.id)
              .map((delivery) => (
                <Fragment key={delivery.id}>
                  <State of={delivery.status} />
                  <TextLink href={hrefs.delivery(delivery.id)}>delivery</TextLink>
                </Fragment>
              ))}
          </li>
        ))}
      </ul>
    </>
  );
};

/** One exchange about a job: what was sent, what came back, what it set in motion. */
export const ExchangeDialog = ({ row, onClose }: { row: RequestRow | null; onClose: () => void }) => (
  <Modal
    opened={row !== null}
    onClose={onClose}
    size={960}
    yOffset="6vh"
    title={
      row && (
        <span className="row">
          <Operation id={row.operation ?? row.path} side={row.side} />
          <span className="t12 t3">
            <Time at={row.at} as="precise" on="real" />
          </span>
        </span>
      )
    }
  >
    {row && (
      <div className="jobs-dialog">
        <Wire id={row.id} />
        {row.outcome !== "read only" && <Chain traceId={row.trace_id} />}
      </div>
    )}
  </Modal>
);
