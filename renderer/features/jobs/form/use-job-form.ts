import { useEffect, useRef } from "react";
import type { Job, JobInsert } from "../../../../sandbox/contract/resources/job.ts";
import type { KeyedCredential } from "../../../app/acting.ts";
import { useSendKey } from "../../../components/use-keys.ts";
import { useInsertJob } from "../mutations.ts";
import { useFormPictures } from "../pictures/use-pictures.ts";
import type { FormLeaving } from "./form-foot.tsx";
import { errorsAt } from "./refusal.tsx";

interface JobFormOptions {
  /** What it is called in the list of keys, and what sending does. */
  readonly title: string;
  readonly label: string;
  readonly credential: KeyedCredential;
  readonly leaving: FormLeaving;
  /** Whether something was filled in that was not sent. */
  readonly isUnsent: boolean;
  readonly body: JobInsert;
  readonly onPictures: (urls: readonly string[]) => void;
  readonly onSent: (job: Job) => void;
}

/** A body of `repairer.jobs.insert` and its pictures, sent by the button or by keys; what is refused has the cursor. */
export const useJobForm = (options: JobFormOptions) => {
  const { title, label, credential, isUnsent, body, onPictures, onSent } = options;
  const { unsent } = options.leaving;
  const form = useRef<HTMLFormElement>(null);
  const uploader = useFormPictures(credential, onPictures);
  const onTheirWay = uploader.uploads.filter(({ state }) => state !== "failed").length;
  useEffect(() => {
    unsent.current = isUnsent || onTheirWay > 0;
  }, [unsent, isUnsent, onTheirWay]);
  const { mutate, error, isPending } = useInsertJob(credential);
  useEffect(() => {
    if (error) form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [error]);
  const send = () => {
    if (!isPending && onTheirWay === 0) mutate(body, { onSuccess: onSent });
  };
  useSendKey(form, title, { label, run: send });
  return {
    form: { ref: form, onSend: send },
    uploader,
    errorAt: errorsAt(error),
    foot: { error, onTheirWay, busy: isPending },
  };
};
