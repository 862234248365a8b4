import type { Attempt } from "../../../../sandbox/contract/control/rows.ts";
import { HeadersView } from "../../../components/headers-view.tsx";
import { HttpStatus } from "../../../components/http-status.tsx";
import { JsonView } from "../../../components/json-view.tsx";
import { Origin } from "../../../components/origin.tsx";
import { TextBytes } from "../../../components/text-bytes.tsx";
import { bytesFromBase64 } from "../../../lib/bytes.ts";
import { formatBytes } from "../../../lib/formatting.ts";
import { jsonOf } from "../message/notification.ts";
import { formatTook, outcomeOf } from "./attempt-axis.ts";

/** The sink and the built-in receivers say so when a message came before. */
const wasKnown = ({ response_body_base64 }: Attempt): boolean => {
  const answer = jsonOf(bytesFromBase64(response_body_base64));
  return typeof answer === "object" && answer !== null && Reflect.get(answer, "deduped") === true;
};

/** What the answer means for the delivery, in a sentence. */
const Meaning = ({ attempt, wasLast }: { attempt: Attempt; wasLast: boolean }) => {
  const then = wasLast ? "this was the last try" : "it is tried again";
  const status = attempt.response_status ?? 0;
  switch (outcomeOf(attempt)) {
    case "acknowledged":
      return (
        <>
          200 acknowledges the notification.
          {wasKnown(attempt) &&
            " It knew this message_id already and did nothing else: that is how a repeat is answered."}{" "}
          <Origin of="contract" />
        </>
      );
    case "broken":
      return (
        <>
          A 200 that does not come to its end acknowledges nothing; {then}. <Origin of="assumption" id="D72" tight />
        </>
      );
    case "refused":
      return (
        <>
          {status >= 300 && status < 400 ? "Redirects are not followed, and only" : "Only"} 200 acknowledges; {then}.{" "}
          <Origin of="assumption" id="D72" tight />
        </>
      );
    default:
      return (
        <>
          No answer counts as not acknowledged; {then}. <Origin of="assumption" id="D72" tight />
        </>
      );
  }
};

/** Why there is no more of a body: the receiver sent no more, or the service keeps no more. */
const cutWords = ({ error }: Attempt, length: number): string =>
  error === null
    ? `Only the first ${formatBytes(length)} are kept.`
    : `Nothing came after these ${formatBytes(length)}.`;

const Body = ({ attempt }: { attempt: Attempt }) => {
  const bytes = bytesFromBase64(attempt.response_body_base64);
  if (bytes.length === 0)
    return <p className="t12 t3">{attempt.response_truncated ? "Nothing came of the body." : "The body is empty."}</p>;
  const json = attempt.response_truncated ? undefined : jsonOf(bytes);
  return (
    <div className="wirebox">
      {typeof json === "object" && json !== null ? (
        <JsonView value={json} label="The answer" lineNumbers={false} />
      ) : (
        <TextBytes bytes={bytes} label="The answer" />
      )}
      {attempt.response_truncated && <p className="t12 t3">{cutWords(attempt, bytes.length)}</p>}
    </div>
  );
};

/** What the receiver answered to a try, or why it did not; `wasLast`: it was given up after this one. */
export const AnswerPane = ({ attempt, wasLast }: { attempt: Attempt; wasLast: boolean }) => (
  <section className="webhooks-answer" aria-labelledby="webhooks-answer">
    <h2 className="h2" id="webhooks-answer">
      Answer to try {attempt.number}
    </h2>
    <div className="row">
      <HttpStatus status={attempt.response_status} error={attempt.error} />
      <span className="t12 t3">after {formatTook(attempt.duration_ms)}</span>
    </div>
    {attempt.error && <p className="t12 ink">{attempt.error}</p>}
    <p className="t12 t2">
      <Meaning attempt={attempt} wasLast={wasLast} />
    </p>
    {attempt.response_status !== null && (
      <>
        <Body attempt={attempt} />
        <details>
          <summary className="t12">
            Headers <span className="t3">{attempt.response_headers.length}</span>
          </summary>
          <HeadersView headers={attempt.response_headers} label={`Headers of the answer to try ${attempt.number}`} />
        </details>
      </>
    )}
  </section>
);
