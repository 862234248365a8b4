import { IconRefresh } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { ServiceFailure, ServiceUnreachable } from "../lib/service-failure.ts";
import { useAnsweredSince } from "../lib/service-reach.ts";
import { Button } from "./button.tsx";
import { HttpStatus } from "./http-status.tsx";
import { Id } from "./id.tsx";

const adviceFor = (failure: ServiceFailure): string | null => {
  if (failure instanceof ServiceUnreachable) return "Retrying when the connection is back.";
  if (failure.status === 401) return "This service doesn’t know the key or token.";
  if (failure.status >= 500) return "Nothing was changed. You can safely try again.";
  return null;
};

/** That there was no answer; once there are answers again, that it is over. */
const NoAnswer = ({ failure }: { failure: ServiceUnreachable }) => {
  const back = useAnsweredSince(failure.at);
  return (
    <>
      <div className="row">{back ? <HttpStatus status={0} words="no response" /> : <HttpStatus status={0} />}</div>
      <span className="t12">
        {back ? "The service is back. Check whether the call was carried out. If not, try again." : failure.message}
      </span>
    </>
  );
};

/** A refusal in the service's words, where it happened; `children` say or offer what to do. */
export const Refusal = ({ failure, children }: { failure: ServiceFailure; children?: ReactNode }) => (
  <div className="refusal" role="alert">
    {failure instanceof ServiceUnreachable ? (
      <NoAnswer failure={failure} />
    ) : (
      <>
        <div className="row">
          <HttpStatus status={failure.status} />
          <span className="m11">{failure.code}</span>
        </div>
        <span className="t12">{failure.message}</span>
      </>
    )}
    {children && <div className="row wrap">{children}</div>}
    {failure.requestId && failure.status >= 500 && (
      <span className="t11 t3">
        Request <Id value={failure.requestId} what="request ID" />
      </span>
    )}
  </div>
);

/** Why something was not done, where it was asked for; nothing while nothing failed. */
export const Refused = ({ error }: { error: Error | null }) =>
  error instanceof ServiceFailure ? (
    <Refusal failure={error} />
  ) : (
    error && (
      <p role="alert" className="t12">
        {error.message}
      </p>
    )
  );

/** A part of the screen that could not be read: why, what to do, and once more. */
export const Failing = ({ what, error, onRetry }: { what: string; error: unknown; onRetry?: () => void }) => {
  const failure = error instanceof ServiceFailure ? error : null;
  return (
    <div className="failing" role="alert">
      <b>{what} could not be read</b>
      {failure ? (
        <Refusal failure={failure} />
      ) : (
        <span className="t12">{error instanceof Error ? error.message : String(error)}</span>
      )}
      {failure && adviceFor(failure) && <span className="t12 t2">{adviceFor(failure)}</span>}
      {onRetry && (
        <span>
          <Button small icon={IconRefresh} onClick={onRetry}>
            Try again
          </Button>
        </span>
      )}
    </div>
  );
};
