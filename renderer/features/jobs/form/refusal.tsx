import { Group, Text } from "@mantine/core";
import { Button, LinkButton } from "../../../components/button.tsx";
import { Refusal } from "../../../components/failing.tsx";
import { HttpStatus } from "../../../components/http-status.tsx";
import { hrefs } from "../../../kernel/addresses/hrefs.ts";
import { ServiceFailure } from "../../../lib/service-failure.ts";
import { type FieldName, fieldNames, jobFields } from "../fields.tsx";

interface Refused {
  /** The field in the message's path; null for none. */
  readonly field: FieldName | null;
  readonly sentence: string;
  /** Another job in the message that has the identity. */
  readonly otherJob: string | null;
}

/** Locates a refusal: a 422's message starts with the field's JSON Pointer (D3). */
export const locateRefusal = (failure: ServiceFailure): Refused => {
  const pointer = /^(\/\S*)/.exec(failure.message)?.[1];
  const named = fieldNames.find((name) => pointer?.startsWith(jobFields[name].at)) ?? null;
  const field = failure.code === "work_provider_not_found" ? "providerId" : named;
  const otherJob = /\bjob ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/i.exec(failure.message)?.[1] ?? null;
  return { field, sentence: failure.message, otherJob };
};

/** The same for a change of the job `own`, whose identity can't be edited. */
const locateOwnRefusal = (failure: ServiceFailure, own: string | null): Refused => {
  const refused = locateRefusal(failure);
  if (own === null) return refused;
  const { field, otherJob } = refused;
  return { ...refused, field: field === "external" ? null : field, otherJob: otherJob === own ? null : otherJob };
};

/** Messages by field for a refused form. @param own the changed job; null for a new one */
export const fieldErrors = (error: Error | null, own: string | null): ((field: FieldName) => string | null) => {
  const refused = error instanceof ServiceFailure ? locateOwnRefusal(error, own) : null;
  return (field) => (refused?.field === field ? refused.sentence : null);
};

interface RefusedFormProps {
  readonly error: Error | null;
  /** The changed job; null for a new one. */
  readonly own: string | null;
  readonly onLeave: () => void;
  /** Converts the draft to an update of the job with the identity. */
  readonly onUpdate: ((jobId: string) => void) | undefined;
}

/** A refusal beside the button. A field's message is at the field; a conflicting job can be opened. */
export const RefusedForm = ({ error, own, onLeave, onUpdate }: RefusedFormProps) => {
  if (!(error instanceof ServiceFailure)) return null;
  const { field, otherJob } = locateOwnRefusal(error, own);
  const ways = otherJob !== null && (
    <>
      {/* Following the link closes the dialog. */}
      <span onClickCapture={onLeave}>
        <LinkButton small href={hrefs.job(otherJob)}>
          Open that job
        </LinkButton>
      </span>
      {field === "external" && onUpdate && (
        <Button small look="primary" onClick={() => onUpdate(otherJob)}>
          Update that job instead
        </Button>
      )}
    </>
  );
  if (field === null) return <Refusal failure={error}>{ways}</Refusal>;
  return (
    <div className="refusal" role="alert">
      <Group wrap="wrap">
        <HttpStatus status={error.status} />
        <Text variant="mono">{error.code}</Text>
        <Text flex={1} miw={0} size="sm">
          Nothing was written. Fix the marked field.
        </Text>
        {ways}
      </Group>
    </div>
  );
};
