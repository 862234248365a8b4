import { Group } from "@mantine/core";
import { type ReactNode, useEffect, useRef } from "react";
import type { Job, JobInsert } from "../../../../sandbox/contract/resources/job.ts";
import type { KeyedCredential } from "../../../app/acting.ts";
import { notify } from "../../../app/notices.tsx";
import { useWorld } from "../../../app/world.ts";
import { Button } from "../../../components/button.tsx";
import { Form } from "../../../components/form.tsx";
import { Origin } from "../../../components/origin.tsx";
import { useSendKey } from "../../../components/use-keys.ts";
import type { FieldName } from "../../../domain/job/fields.tsx";
import { plural } from "../../../lib/formatting.ts";
import { editHref } from "../address.ts";
import { useInsertJob } from "../mutations.ts";
import { PictureDrop } from "../pictures/incoming.tsx";
import { type Uploader, useFormPictures } from "../pictures/use-pictures.ts";
import styles from "./form.module.css";
import { errorsAt, RefusedForm, type RefusedFormProps } from "./refusal.tsx";

interface JobFormProps extends Omit<RefusedFormProps, "error" | "onLeave"> {
  /** What it is called in the list of keys, and what sending does. */
  readonly keys: readonly [title: string, label: string];
  readonly credential: KeyedCredential;
  readonly body: JobInsert;
  readonly kept: { readonly isContinued: boolean; readonly beginAnew: () => void; readonly forget: () => void };
  /** What letting pictures go above it does. */
  readonly drop: string;
  readonly note: string;
  readonly button: string;
  readonly onPictures: (urls: readonly string[]) => void;
  /** The answer; `isLeft` when the form was closed while it was on its way. */
  readonly onSent: (job: Job, isLeft: boolean) => void;
  readonly onClose: () => void;
  readonly children: (of: {
    readonly uploader: Uploader;
    readonly errorAt: (field: FieldName) => string | null;
  }) => ReactNode;
}

/**
 * A body of `repairer.jobs.insert` and its pictures, sent by the button or by keys; what is refused has the cursor. It is
 * left without a question: what was not sent is there when it is opened again.
 */
export const JobForm = ({ keys: [title, label], credential, body, kept, children, ...props }: JobFormProps) => {
  const form = useRef<HTMLFormElement>(null);
  const world = useWorld();
  const uploader = useFormPictures(credential, props.onPictures);
  const onTheirWay = uploader.uploads.filter(({ state }) => state !== "failed").length;
  /** Closed already, or on its way out. */
  const isLeft = () => form.current?.closest("[inert]") !== null;
  const { mutate, error, isPending } = useInsertJob(credential, {
    onSuccess: (job) => {
      kept.forget();
      props.onSent(job, isLeft());
    },
    onError: (failure) => {
      const link = props.jobId && { href: editHref(props.jobId), label: "Open form", world };
      if (isLeft()) notify.failed(props.button, failure, link || undefined);
    },
  });
  useEffect(() => {
    if (error) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [error]);
  const send = () => {
    if (!isPending && onTheirWay === 0) mutate(body);
  };
  useSendKey(form, title, { label, run: send });
  return (
    <Form ref={form} style={{ gap: 0 }} onSend={send}>
      <PictureDrop className={styles.form} words={props.drop} onFiles={uploader.add}>
        {children({ uploader, errorAt: errorsAt(error) })}
      </PictureDrop>
      <div className={`dialog-foot ${styles.formFoot}`}>
        <RefusedForm error={error} onLeave={props.onClose} jobId={props.jobId} onUpdate={props.onUpdate} />
        <Group gap="sm" wrap="nowrap" justify="flex-end">
          {onTheirWay > 0 ? (
            <span className="t12 t2 grow">
              {plural(onTheirWay, "picture")} uploading. Closing this form stops the upload.
            </span>
          ) : kept.isContinued ? (
            <span className="t12 t2 grow">
              Draft restored.{" "}
              <button type="button" className="lnk" onClick={kept.beginAnew}>
                Start over
              </button>
            </span>
          ) : (
            <span className="t12 t3 grow">
              {props.note} <Origin of="contract" />
            </span>
          )}
          <Button onClick={props.onClose}>Close</Button>
          <Button type="submit" look="primary" keys="mod+enter" busy={isPending} disabled={onTheirWay > 0}>
            {props.button}
          </Button>
        </Group>
      </div>
    </Form>
  );
};
