import { Box, SimpleGrid } from "@mantine/core";
import { type ReactNode, useEffect, useRef } from "react";
import type { Job, JobInsert } from "../../../../sandbox/contract/resources/job.ts";
import { Button } from "../../../components/button.tsx";
import { DialogFoot } from "../../../components/dialog.tsx";
import { DraftNote } from "../../../components/draft-note.tsx";
import { Form, Submit } from "../../../components/form.tsx";
import { useSendKey } from "../../../components/use-keys.ts";
import { Origin } from "../../../domain/decision/origin.tsx";
import type { KeyedCredential } from "../../../kernel/credentials/acting.ts";
import { notify } from "../../../kernel/notices/notices.tsx";
import type { FieldName } from "../fields.tsx";
import { useInsertJob } from "../mutations.ts";
import { fieldErrors, RefusedForm } from "./refusal.tsx";

interface JobFormProps {
  /** Its title in the list of keys. */
  readonly title: string;
  readonly button: string;
  readonly credential: KeyedCredential;
  readonly body: JobInsert;
  /** The changed job; absent for a new one. */
  readonly own?: string | null;
  readonly draftState: { readonly isContinued: boolean; readonly startOver: () => void; readonly forget: () => void };
  /** Called with the response; `isLeft` when the form was closed in the meantime. */
  readonly onSent: (job: Job, isLeft: boolean) => void;
  /** Address to open the form again when it is refused after closing. */
  readonly link?: { readonly href: string; readonly label: string; readonly world: string };
  readonly onUpdate?: (jobId: string) => void;
  readonly onClose: () => void;
  readonly children: (errorAt: (field: FieldName) => string | null) => ReactNode;
}

/**
 * A form for `repairer.jobs.insert`, sent by button or shortcut; a refused field gets focus. Closing asks nothing,
 * because the draft is kept.
 */
export const JobForm = ({
  title,
  button,
  credential,
  body,
  own = null,
  draftState,
  onClose,
  children,
  ...props
}: JobFormProps) => {
  const form = useRef<HTMLFormElement>(null);
  /** Returns whether the form is closed or closing. */
  const isLeft = () => form.current?.closest("[inert]") !== null;
  const { mutate, error, isPending } = useInsertJob(credential, {
    onSuccess: (job) => {
      draftState.forget();
      props.onSent(job, isLeft());
    },
    onError: (failure) => isLeft() && notify.failed(button, failure, props.link),
  });
  useEffect(() => {
    if (error) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [error]);
  const send = () => {
    if (!isPending) mutate(body);
  };
  useSendKey(form, title, { label: button, run: send });
  return (
    <Form ref={form} onSend={send}>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xl">
        {children(fieldErrors(error, own))}
      </SimpleGrid>
      <DialogFoot>
        {error && (
          <Box flex="1 0 100%">
            <RefusedForm error={error} own={own} onLeave={onClose} onUpdate={props.onUpdate} />
          </Box>
        )}
        <DraftNote of={draftState}>
          Creates 1 repairer.jobs event <Origin of="contract" />
        </DraftNote>
        <Button onClick={onClose}>Close</Button>
        <Submit keys="mod+enter" busy={isPending}>
          {button}
        </Submit>
      </DialogFoot>
    </Form>
  );
};
