import { IconArrowLeft } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { RequestDetail } from "../../../../sandbox/contract/control/rows.ts";
import { Button } from "../../../components/button.tsx";
import { CopyButton } from "../../../components/copy-button.tsx";
import { HeadersView } from "../../../components/headers-view.tsx";
import { HttpStatus } from "../../../components/http-status.tsx";
import { BodyView } from "../../../components/json-view.tsx";
import { SideGlyph } from "../../../components/side.tsx";
import { Time } from "../../../components/time.tsx";
import { traceQuery } from "../../../domain/trace/queries.ts";
import { EventsAndDeliveries } from "../../../domain/trace/trace-chain.tsx";
import { CallVerdict } from "../../../domain/trace/verdict-note.tsx";
import { asCurl, asPowerShell } from "../../../lib/curl.ts";
import { isWindows } from "../../../lib/desktop-bridge.ts";
import { formatBytes, formatMs, plural } from "../../../lib/formatting.ts";
import { linkToExchange } from "../../addresses.tsx";
import { Touched } from "../../touched.tsx";
import { useWorld } from "../../world.ts";
import { useWho } from "./who.ts";

/** One exchange: what was sent and what came back, credentials masked. */
export const ExchangePanes = ({ detail, onBack }: { detail: RequestDetail; onBack: () => void }) => {
  const who = useWho();
  const { data: trace } = useQuery(traceQuery(useWorld(), detail.events > 0 ? detail.trace_id : null));
  return (
    <div className="wire-panes">
      <section className="wire-pane" aria-label="Request">
        <div className="wire-pane-head">
          <span className="wire-back">
            <Button small look="quiet" icon={IconArrowLeft} onClick={onBack}>
              Exchanges
            </Button>
          </span>
          <SideGlyph side={detail.side} labelled />
          <h3 className="w5 ink">Request</h3>
          <span className="t3 el">
            {who(detail)}, <Time at={detail.at} as="precise" on="real" />
          </span>
          <span className="grow" />
          <CopyButton text={linkToExchange(detail.id)} what="the link to this exchange" label="Link" />
          <CopyButton text={asCurl(detail, window.location.origin)} what="the cURL command" label="cURL" />
          {isWindows() && (
            <CopyButton
              text={asPowerShell(detail, window.location.origin)}
              what="the PowerShell command"
              label="PowerShell"
            />
          )}
        </div>
        <p className="code wrapped">
          <span className="p">{detail.method}</span> {detail.path}
        </p>
        <HeadersView headers={detail.request_headers} label="Request headers" />
        <BodyView text={detail.request_body} label="request" />
      </section>
      <section className="wire-pane" aria-label="Response">
        <div className="wire-pane-head">
          <h3 className="w5 ink">Response</h3>
          <HttpStatus status={detail.status} />
          <span className="t3 el">
            {formatMs(detail.duration_ms)}, {formatBytes(detail.response_bytes)}
          </span>
          <span className="grow" />
          <Touched row={detail} />
          <span className="t2 el">
            {detail.outcome}
            {detail.events > 0 && `, ${plural(detail.events, "event")}`}
          </span>
        </div>
        <CallVerdict row={detail} />
        {trace && (
          <div className="wire-events">
            <EventsAndDeliveries trace={trace} />
          </div>
        )}
        <HeadersView headers={detail.response_headers} label="Response headers" />
        <BodyView text={detail.response_body} label="response" />
      </section>
    </div>
  );
};
