import { useMutation } from "@tanstack/react-query";
import type { ErrorCode } from "../../../sandbox/contract/errors.ts";
import { Button } from "../../components/button.tsx";
import { Refusal } from "../../components/failing.tsx";
import { HttpStatus } from "../../components/http-status.tsx";
import { State } from "../../components/state.tsx";
import { Time } from "../../components/time.tsx";
import { announce } from "../../lib/announce.ts";
import { ServiceFailure } from "../../lib/service-failure.ts";
import { type FailureFacts, failureWarnings, failureWords } from "./failure-words.tsx";
import { expectedStatus, type FailureCase, type FailureContext } from "./failures.ts";
import { OnTheWire } from "./on-the-wire.tsx";
import { ServedIn } from "./served-in.tsx";

/** A long code may break after its underscores. */
const Breakable = ({ code }: { code: ErrorCode | string }) => (
  <>
    {code.split(/(?<=_)/).map((piece, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a code never move
      <span key={index}>
        {piece}
        <wbr />
      </span>
    ))}
  </>
);

interface FailureRowProps {
  readonly failure: FailureCase;
  /** Its number, where a check begins. */
  readonly number: number | null;
  readonly context: FailureContext;
  readonly facts: FailureFacts;
  /** Whether it was the last one tried. */
  readonly isLast: boolean;
  readonly onTry: () => void;
}

/** One way an install fails: tried for real on request, then what came back and why. */
export const FailureRow = ({ failure, number, context, facts, isLast, onTry }: FailureRowProps) => {
  const expected = expectedStatus(failure);
  const tried = useMutation({
    mutationFn: async () => ({ exchange: await failure.run(context), at: new Date().toISOString(), facts }),
    onSuccess: ({ exchange }) =>
      announce(`${failure.title}: ${exchange.status} ${exchange.failure?.code ?? "accepted"}`),
  });
  const answer = tried.data?.exchange;
  const asExpected = answer?.status === expected && answer.failure?.code === failure.code;
  const warning = failureWarnings[failure.id]?.(facts);
  return (
    <li className={`install-failure${answer && isLast ? " sel" : ""}`}>
      <span className="n" aria-hidden="true">
        {number}
      </span>
      <h3>{failure.title}</h3>
      <div className="row">
        {answer ? (
          <HttpStatus status={answer.status} />
        ) : (
          <span className="m t3" title="What the contract answers">
            {expected}
          </span>
        )}
        <Button
          small
          busy={tried.isPending}
          onClick={() => {
            onTry();
            tried.mutate();
          }}
        >
          {answer ? "Again" : "Try"}
          <span className="sr"> {failure.title}</span>
        </Button>
      </div>
      <p className="install-error m11">
        <Breakable code={failure.code} />
      </p>
      {warning && !answer && <p className="wide t3">{warning}</p>}
      {tried.error && (
        <div className="wide">
          {tried.error instanceof ServiceFailure ? <Refusal failure={tried.error} /> : tried.error.message}
        </div>
      )}
      {tried.data && answer && (
        <div className="wide">
          <div className="row wrap">
            <span className="w5 ink">
              Tried <Time at={tried.data.at} as="clock" on="real" />,{" "}
              <ServedIn requestId={answer.requestId} waitedMs={answer.durationMs} />
            </span>
            <OnTheWire requestId={answer.requestId} of={failure.title} />
          </div>
          {asExpected ? (
            <p>{failureWords[failure.id]?.(facts)}</p>
          ) : (
            <p>
              <State of="failed">not what was expected</State> It answered {answer.status}{" "}
              <span className="m11">{answer.failure?.code ?? "without a refusal"}</span>; the contract says {expected}.
            </p>
          )}
        </div>
      )}
    </li>
  );
};
