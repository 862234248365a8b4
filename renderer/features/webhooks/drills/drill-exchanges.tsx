import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Drill, DrillExchange } from "../../../../sandbox/contract/control/receiver-rows.ts";
import { useWorld } from "../../../app/world.ts";
import { HeadersView } from "../../../components/headers-view.tsx";
import { Read } from "../../../components/read.tsx";
import { Segmented } from "../../../components/tabs.tsx";
import { TextBytes } from "../../../components/text-bytes.tsx";
import { bytesFromBase64 } from "../../../lib/bytes.ts";
import { formatMs } from "../../../lib/formatting.ts";
import { MessagePane } from "../message/message-pane.tsx";
import { VerificationSteps } from "../message/verification-steps.tsx";
import { markedIn } from "./marked-in.ts";
import { drillQuery } from "./queries.ts";

/** What the answer is worth, and what else there is to say of it where that does not. */
const wordsOf = ({ sentence, error }: DrillExchange): string =>
  error === null || sentence.includes(error) ? sentence : `${sentence} ${error}`;

/** What came back to one request of a drill. */
const Answer = ({ exchange }: { exchange: DrillExchange }) => {
  const body = bytesFromBase64(exchange.response_body_base64);
  return (
    <div className="webhooks-drill-answer">
      <p className="row">
        <span className={`webhooks-answers ${exchange.verdict === "passed" ? "ok" : "bad"}`}>
          {exchange.response_status ?? "no answer"}
        </span>
        <span className="t12 t3">after {formatMs(exchange.duration_ms)}</span>
        <span className="t12 t2">{wordsOf(exchange)}</span>
      </p>
      {body.length > 0 && (
        <div className="wirebox">
          <TextBytes bytes={body} label="The answer" />
        </div>
      )}
      {exchange.response_headers.length > 0 && (
        <details>
          <summary className="t12">
            Headers of the answer <span className="t3">{exchange.response_headers.length}</span>
          </summary>
          <HeadersView headers={exchange.response_headers} label="Headers of the answer" />
        </details>
      )}
    </div>
  );
};

/** What went over the wire: each request as it was sent, what the four steps make of it, and its answer. */
const Exchanges = ({ drill }: { drill: Drill }) => {
  const [chosen, choose] = useState("0");
  const exchange = drill.exchanges[Number(chosen)] ?? drill.exchanges[0];
  if (!exchange) return null;
  const bytes = bytesFromBase64(exchange.request_body_base64);
  return (
    <section className="webhooks-exchange" aria-label="On the wire">
      <div className="sec">
        <h3 className="h2">On the wire</h3>
        {drill.exchanges.length > 1 ? (
          <Segmented
            label="Which request"
            options={drill.exchanges.map(({ what }, index) => ({ value: String(index), label: what }))}
            value={chosen}
            onChange={choose}
          />
        ) : (
          <span className="t12 t3">{exchange.what}</span>
        )}
      </div>
      <VerificationSteps
        verification={exchange.verification}
        judged={{ bytes, headers: exchange.request_headers, at: exchange.sent_at }}
      />
      <Answer exchange={exchange} />
      <MessagePane
        key={chosen}
        bytes={bytes}
        headers={exchange.request_headers}
        label="Sent"
        marked={markedIn(drill.drill, bytes)}
      />
    </section>
  );
};

/** The exchanges of a drill that was run, read by its id. */
export const DrillExchanges = ({ id }: { id: string }) => {
  const query = useQuery(drillQuery(useWorld(), id));
  return (
    <Read of={query} what="the exchange" rows={5}>
      {(data) => <Exchanges drill={data} />}
    </Read>
  );
};
