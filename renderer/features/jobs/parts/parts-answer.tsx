import { IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { PartInsert } from "../../../../sandbox/contract/resources/job.ts";
import { useWorld } from "../../../app/world.ts";
import { recentRequestsQuery } from "../../../app/world-queries.ts";
import { Failing } from "../../../components/failing.tsx";
import { HttpStatus } from "../../../components/http-status.tsx";
import { Icon } from "../../../components/icon.tsx";
import { JsonView } from "../../../components/json-view.tsx";
import { Origin } from "../../../components/origin.tsx";
import { formatMs, plural } from "../../../lib/formatting.ts";
import type { Exchange } from "../../../lib/service-client.ts";

const meanings: Readonly<Record<string, string>> = {
  unprocessable: "a part is of the wrong shape, or names a part of another job",
  not_found: "this key knows no such job",
  forbidden: "the key is valid but has another scope",
  unauthorized: "the key and the integration are not a known pair",
};

/** Why the sandbox refused: the answer does not say it, but its record of the exchange does. */
const useReason = (requestId: string | null): string | null => {
  const { data } = useQuery(recentRequestsQuery(useWorld()));
  return data?.items.find(({ id }) => id === requestId)?.outcome ?? null;
};

/** A bare string is all the contract answers here; what it means, and why, comes from beside the contract. */
const Refused = ({ exchange }: { exchange: Exchange }) => {
  const reason = useReason(exchange.requestId);
  const meaning = exchange.failure && (meanings[exchange.failure.code] ?? exchange.failure.message);
  return (
    <div className="jobs-refused" role="alert">
      <div className="row">
        <HttpStatus status={exchange.status} />
        <code>{JSON.stringify(exchange.body)}</code>
        <span className="t12 t2">{formatMs(exchange.durationMs)} round trip</span>
      </div>
      <p className="t12">
        That bare JSON string is the whole answer: this operation alone sends its errors so, without a type and a
        message <Origin of="contract" />.{meaning && ` It means that ${meaning}.`}
      </p>
      {reason && (
        <p className="t12">
          The sandbox’s own record of the exchange says why: <b className="w5">{reason}</b> <Origin of="extension" />
        </p>
      )}
      <p className="t12 t2">Nothing was inserted.</p>
    </div>
  );
};

const countIn = (body: unknown): number | null =>
  typeof body === "object" && body !== null && "items" in body && Array.isArray(body.items) ? body.items.length : null;

interface PartsAnswerProps {
  readonly exchange: Exchange | null;
  readonly error: Error | null;
  readonly sent: readonly PartInsert[] | null;
}

/** What the service answered to the last insert. */
export const PartsAnswer = ({ exchange, error, sent }: PartsAnswerProps) => {
  const [open, setOpen] = useState(false);
  if (error) return <Failing what="The answer" error={error} />;
  if (!exchange) return null;
  if (!exchange.ok) return <Refused exchange={exchange} />;
  const { status, body, durationMs } = exchange;
  const count = countIn(body);
  return (
    <div className="jobs-answer">
      <button type="button" className="row t12" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon of={open ? IconChevronDown : IconChevronRight} size={12} />
        <HttpStatus status={status} />
        <span>
          {sent && `${plural(sent.length, "part")} sent`}
          {count !== null && `, ${plural(count, "part")} in the answer: all of the job’s`}
        </span>
        <span className="t3">{formatMs(durationMs)} round trip</span>
      </button>
      {open && (
        <div className="wirebox jobs-answer-json">
          <JsonView value={body} label="answer" foldFrom={3} />
        </div>
      )}
    </div>
  );
};
