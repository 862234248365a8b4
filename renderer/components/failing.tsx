import { Group, Text } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { ServiceFailure, ServiceUnreachable } from "../lib/service-failure.ts";
import { useAnsweredSince } from "../lib/service-reach.ts";
import { Button } from "./button.tsx";
import { HttpStatus } from "./http-status.tsx";
import { Id } from "./id.tsx";

const adviceFor = (failure: ServiceFailure): string | null => {
  if (failure instanceof ServiceUnreachable) return "Retrying when the connection is back.";
  if (failure.status === 401)
    return "The service rejected this key or token. Open the address it printed when it started.";
  if (failure.status >= 500) return "You can safely try again.";
  return null;
};

/** Reports that the service doesn't respond, and later that it does again. */
const NoAnswer = ({ failure }: { failure: ServiceUnreachable }) => {
  const back = useAnsweredSince(failure.at);
  return (
    <>
      <Group>{back ? <HttpStatus status={0} words="no response" /> : <HttpStatus status={0} />}</Group>
      <Text size="sm">
        {back ? "The service is back. Check whether the call ran. If not, try again." : failure.message}
      </Text>
    </>
  );
};

/** A refusal in the service's words, next to its cause. `children` explain or offer the next step. */
export const Refusal = ({ failure, children }: { failure: ServiceFailure; children?: ReactNode }) => (
  <div className="refusal" role="alert">
    {failure instanceof ServiceUnreachable ? (
      <NoAnswer failure={failure} />
    ) : (
      <>
        <Group>
          <HttpStatus status={failure.status} />
          <Text variant="mono">{failure.code}</Text>
        </Group>
        <Text size="sm">{failure.message}</Text>
      </>
    )}
    {children && <Group wrap="wrap">{children}</Group>}
    {failure.requestId && failure.status >= 500 && (
      <Text size="xs" c="dimmed">
        Request <Id value={failure.requestId} what="request ID" />
      </Text>
    )}
  </div>
);

/** The error of a failed action, next to its control; nothing without an error. */
export const Refused = ({ error }: { error: Error | null }) =>
  error instanceof ServiceFailure ? (
    <Refusal failure={error} />
  ) : (
    error && (
      <Text role="alert" component="p" size="sm">
        {error.message}
      </Text>
    )
  );

/** A part of the screen that couldn't be read: the reason, advice and a retry. */
export const Failing = ({ what, error, onRetry }: { what: string; error: unknown; onRetry?: () => void }) => {
  const failure = error instanceof ServiceFailure ? error : null;
  return (
    <div className="failing" role="alert">
      <b>Couldn’t load {what}</b>
      {failure ? (
        <Refusal failure={failure} />
      ) : (
        <Text size="sm">{error instanceof Error ? error.message : String(error)}</Text>
      )}
      {failure && adviceFor(failure) && <Text variant="note">{adviceFor(failure)}</Text>}
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
