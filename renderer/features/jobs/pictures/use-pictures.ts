import { useMutation } from "@tanstack/react-query";
import { hrefs } from "../../../kernel/addresses/hrefs.ts";
import type { KeyedCredential } from "../../../kernel/credentials/acting.ts";
import { notify } from "../../../kernel/notices/notices.tsx";
import { useWorld } from "../../../kernel/world/world.ts";
import { callPartner, observePartner, originHeaders, worldHeaders } from "../../../lib/service-client.ts";
import { failureFrom, ServiceUnreachable } from "../../../lib/service-failure.ts";
import { useJobChanged } from "../mutations.ts";
import { sendPictures, type UploadMethods, useUploads } from "./uploads.ts";

/**
 * Puts a file to a prepared upload address and reports progress, which `fetch` cannot. Uses the page's own host,
 * because addresses contain one of the service's names and the page may use another.
 * @throws ServiceFailure in the service's words; ServiceUnreachable without a response; an AbortError when aborted
 */
const putFile =
  (world: string): UploadMethods["put"] =>
  (address, file, { signal, onSent }) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const { pathname, search } = new URL(address, window.location.origin);
    const request = new XMLHttpRequest();
    request.open("PUT", pathname + search);
    for (const [name, value] of Object.entries({ ...originHeaders(), ...worldHeaders(world) }))
      request.setRequestHeader(name, value);
    request.responseType = "json";
    request.upload.onprogress = ({ loaded }) => onSent(loaded);
    request.onload = () => {
      if (request.status === 200) resolve();
      else reject(failureFrom(request.status, request.response, request.getResponseHeader("x-request-id")));
    };
    request.onerror = () => reject(new ServiceUnreachable());
    request.onabort = () => reject(signal.reason);
    signal.addEventListener("abort", () => request.abort(), { once: true });
    request.send(file);
    return promise;
  };

/** An edit of a job's list of pictures. */
type PictureEdit = (images: readonly string[]) => readonly string[];

/**
 * A job's pictures: pending uploads and edits. Edits run one after the other, because each reads the previous result.
 */
export const useJobPictures = (jobId: string, credential: KeyedCredential) => {
  const world = useWorld();
  const jobChanged = useJobChanged();
  const owner = `${world} ${jobId}`;
  const caller = { world, key: credential };
  const { mutate, isPending } = useMutation({
    scope: { id: `pictures ${owner}` },
    /** Reads the job first to keep changes by others, and updates only its pictures (D32). */
    mutationFn: async (edit: PictureEdit) => {
      const job = await observePartner("repairer.jobs.get", { identity: { id: jobId } }, caller);
      const images = [...edit(job.images.map(({ public_url }) => public_url))];
      const { id, repairer_site_id } = job;
      const body = { identity: { id }, repairer_site_id, images, if_: { exists: "update" as const } };
      await callPartner("repairer.jobs.insert", body, caller);
      return job;
    },
    onSuccess: ({ job_number }) => {
      notify.done({
        title: "Pictures saved",
        detail: `${job_number ?? "The job"} was updated. 1 event: repairer.jobs.`,
        from: { href: hrefs.job(jobId), world },
      });
      jobChanged(jobId);
    },
    onError: (error) => notify.failed("Save pictures", error),
  });
  const ways: UploadMethods = {
    prepare: ({ name }, signal) => {
      const request = { file_name: name, media_type: "image", type: "job_media" } as const;
      return callPartner("uploads.prepare", request, caller, { signal });
    },
    put: putFile(world),
    onArrived: (urls) => mutate((images) => [...images, ...urls]),
  };
  return {
    uploads: useUploads(({ uploads }) => uploads).filter((one) => one.owner === owner),
    add: (files: readonly File[]) => void sendPictures(owner, files, ways),
    remove: (url: string) => mutate((images) => images.filter((image) => image !== url)),
    isWriting: isPending,
  };
};

export type JobPictures = ReturnType<typeof useJobPictures>;
