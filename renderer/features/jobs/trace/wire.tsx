import { useQuery } from "@tanstack/react-query";
import { useWorld } from "../../../app/world.ts";
import { HeadersView } from "../../../components/headers-view.tsx";
import { HttpStatus } from "../../../components/http-status.tsx";
import { JsonView } from "../../../components/json-view.tsx";
import { Read } from "../../../components/read.tsx";
import { exchangeQuery } from "../../../domain/trace/queries.ts";
import { formatMs } from "../../../lib/formatting.ts";

const Body = ({ text, label }: { text: string; label: string }) => {
  if (text === "") return <span className="t12 t3">no body</span>;
  try {
    return <JsonView value={JSON.parse(text)} label={label} foldFrom={4} />;
  } catch {
    return <pre className="code wrapped">{text}</pre>;
  }
};

/** An exchange as it went over the wire, credentials masked. */
export const Wire = ({ id }: { id: string }) => {
  const query = useQuery(exchangeQuery(useWorld(), id));
  return (
    <Read of={query} what="the exchange">
      {(data) => (
        <div className="jobs-exchange jobs-pad">
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
      )}
    </Read>
  );
};
