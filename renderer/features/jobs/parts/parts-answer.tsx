import { IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import { useState } from "react";
import type { PartInsert } from "../../../../sandbox/contract/resources/job.ts";
import { Failing } from "../../../components/failing.tsx";
import { HttpStatus } from "../../../components/http-status.tsx";
import { Icon } from "../../../components/icon.tsx";
import { JsonView } from "../../../components/json-view.tsx";
import { Origin } from "../../../components/origin.tsx";
import { formatMs, plural } from "../../../lib/formatting.ts";
import type { Exchange } from "../../../lib/service-client.ts";
import { meaningOf } from "../../../lib/service-failure.ts";

interface Result {
  readonly exchange: Exchange;
  /** What the sandbox's record of the exchange says about a refusal. */
  readonly reason: string | null;
}

const countIn = (body: unknown): number | null =>
  typeof body === "object" && body !== null && "items" in body && Array.isArray(body.items) ? body.items.length : null;

/** A bare string is all the contract answers here; what it means, and why, comes from beside the contract. */
const Refused = ({ exchange, reason }: Result) => (
  <div className="jobs-refused" role="alert">
    <div className="row"><HttpStatus status={exchange.status} /><code>{JSON.stringify(exchange.body)}</code><span className="t12 t3">{formatMs(exchange.durationMs)}</span></div>
    <p className="t12">
      That bare JSON string is the whole answer: this operation alone sends its errors so, without a type and a message <Origin of="contract" />.
      {exchange.failure && ` It means: ${meaningOf(exchange.failure.code) ?? exchange.failure.message}`}
    </p>
    {reason && <p className="t12">The sandbox’s own record of the exchange says why: <b className="w5">{reason}</b>. <Origin of="extension" /></p>}
    <p className="t12 t2">Nothing was inserted.</p>
  </div>
);

/** What the service answered to the last insert. */
export const PartsAnswer = ({ result, error, sent }: { result: Result | null; error: Error | null; sent: readonly PartInsert[] | null }) => {
  const [open, setOpen] = useState(false);
  if (error) return <Failing what="The answer" error={error} />;
  if (!result) return null;
  if (!result.exchange.ok) return <Refused {...result} />;
  const { status, body, durationMs } = result.exchange;
  const count = countIn(body);
  return (
    <div className="jobs-answer">
      <button type="button" className="row t12" aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon of={open ? IconChevronDown : IconChevronRight} size={12} />
        <HttpStatus status={status} />
        <span>{sent && `${plural(sent.length, "part")} sent`}{count !== null && `, ${plural(count, "part")} in the answer: all of the job’s`}</span>
        <span className="t3">{formatMs(durationMs)}</span>
      </button>
      {open && <div className="wirebox jobs-answer-json"><JsonView value={body} label="answer" foldFrom={3} /></div>}
    </div>
  );
};
