import { useMutation, useMutationState, useQueryClient } from "@tanstack/react-query";
import { useEffect, useId, useRef } from "react";
import type { KeyedCredential } from "../../../app/acting.ts";
import { notify } from "../../../app/notices.tsx";
import { useWorld } from "../../../app/world.ts";
import { plural } from "../../../lib/formatting.ts";
import { callPartner, observePartner } from "../../../lib/service-client.ts";
import { failureFrom, ServiceUnreachable } from "../../../lib/service-failure.ts";
import { useJobChanged } from "../mutations.ts";
import { adding, type PictureEdit } from "./edits.ts";
import { forget, sendAgain, sendPictures, type Upload, type UploadWays, useUploads } from "./uploads.ts";

type Put = UploadWays["put"];

/** The way to an upload address from this page: the service hands addresses out under one of its names, and a page may have been opened under another. */
const onThisOrigin = (address: string): string => {
  const url = new URL(address, window.location.origin);
  return url.pathname + url.search;
};

const putBytes = (address: string, bytes: Blob, { signal, onSent }: Parameters<Put>[2]): Promise<void> => {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const request = new XMLHttpRequest();
  request.open("PUT", onThisOrigin(address));
  request.responseType = "json";
  request.upload.onprogress = ({ loaded }) => onSent(loaded);
  request.onload = () => {
    if (request.status === 200) resolve();
    else reject(failureFrom(request.status, request.response, request.getResponseHeader("x-request-id")));
  };
  request.onerror = () => reject(new ServiceUnreachable());
  request.onabort = () => reject(signal.reason);
  signal.addEventListener("abort", () => request.abort(), { once: true });
  request.send(bytes);
  return promise;
};

/** The most the service takes (D6). Of more, one byte more is sent: it is refused all the same, and its answer can be read. */
const MOST_BYTES = 20 * 1024 * 1024;
/** Enough for the service to judge a content by its first bytes (D64). */
const HEAD_BYTES = 1024;

/**
 * Puts a file to a prepared upload address and tells how far it is: what `fetch` cannot tell of a request. A service
 * that refuses in the middle of a large file closes the connection, and its answer may be lost with it: then it is asked
 * again with the first bytes alone.
 * @throws ServiceFailure in the service's words; ServiceUnreachable when nothing answered; an AbortError when aborted
 */
const putFile: Put = async (address, file, options) => {
  try {
    await putBytes(address, file.size > MOST_BYTES ? file.slice(0, MOST_BYTES + 1) : file, options);
  } catch (error) {
    if (!(error instanceof ServiceUnreachable)) throw error;
    await putBytes(address, file.slice(0, HEAD_BYTES), { ...options, onSent: () => {} });
    // It would have taken it. The address is used up by the first bytes, and the next attempt asks for another.
    throw error;
  }
};

type OnArrived = UploadWays["onArrived"];

/** Sends pictures through the contract's own operation and the upload route, and says which are on their way. */
const useUploader = (owner: string, credential: KeyedCredential, onArrived: OnArrived) => {
  const world = useWorld();
  const latest = useRef({ credential, onArrived });
  useEffect(() => {
    latest.current = { credential, onArrived };
  });
  const ways: UploadWays = {
    prepare: ({ name }, signal) => {
      const asked = { file_name: name, media_type: "image", type: "job_media" } as const;
      return callPartner("uploads.prepare", asked, { world, key: latest.current.credential }, { signal });
    },
    put: putFile,
    onArrived: (urls) => latest.current.onArrived(urls),
  };
  return {
    uploads: useUploads(({ uploads }) => uploads).filter((one) => one.owner === owner),
    add: (files: readonly File[]) => sendPictures(owner, files, ways),
    again: (failed: Upload) => sendAgain(failed, ways),
  };
};

export type Uploader = ReturnType<typeof useUploader>;

/** Sends pictures for a form: what arrives is the form's; what is on its way when the form goes is stopped. */
export const useFormPictures = (credential: KeyedCredential, onArrived: OnArrived): Uploader => {
  const owner = useId();
  useEffect(() => () => forget(useUploads.getState().uploads.filter((one) => one.owner === owner)), [owner]);
  return useUploader(owner, credential, onArrived);
};

const changed = (before: readonly string[], after: readonly string[]): string => {
  const by = after.length - before.length;
  if (by === 0) return "Pictures changed";
  return `${plural(Math.abs(by), "picture")} ${by > 0 ? "added" : "removed"}`;
};

const isEdit = (value: unknown): value is PictureEdit => typeof value === "function";

/**
 * One job's pictures: those on their way to the service, and what is being written into the job. Changes are written
 * one behind the other: each reads what the one before has written.
 */
export const useJobPictures = (jobId: string, credential: KeyedCredential) => {
  const world = useWorld();
  const client = useQueryClient();
  const jobChanged = useJobChanged();
  const mutationKey = ["pictures", world, jobId];
  const { mutate } = useMutation({
    mutationKey,
    scope: { id: mutationKey.join(" ") },
    // What was refused waits until it is written again or left.
    gcTime: Number.POSITIVE_INFINITY,
    /** Reads the job, so that what others changed meanwhile stays, and updates its pictures alone (D32). */
    mutationFn: async (edit: PictureEdit) => {
      const caller = { world, key: credential };
      const job = await observePartner("repairer.jobs.get", { identity: { id: jobId } }, caller);
      const before = job.images.map(({ public_url }) => public_url);
      const images = [...edit(before)];
      const { id, repairer_site_id } = job;
      const body = { identity: { id }, repairer_site_id, images, if_: { exists: "update" as const } };
      await callPartner("repairer.jobs.insert", body, caller);
      notify.done({
        title: changed(before, images),
        detail: `${job.job_number ?? "The job"} was updated. 1 event: repairer.jobs.`,
      });
      jobChanged(jobId);
    },
  });
  const writes = useMutationState({ filters: { mutationKey }, select: ({ state }) => state });
  const refused = writes.filter(({ status }) => status === "error");
  const giveUp = () => {
    const cache = client.getMutationCache();
    for (const one of cache.findAll({ mutationKey, status: "error" })) cache.remove(one);
  };
  return {
    ...useUploader(`${world} ${jobId}`, credential, (urls) => mutate(adding(urls))),
    change: mutate,
    isWriting: writes.some(({ status }) => status === "pending"),
    /** Why a change was not written, also when a later one was; null when all were. */
    error: refused.at(-1)?.error ?? null,
    writeAgain: () => {
      giveUp();
      for (const { variables } of refused) if (isEdit(variables)) mutate(variables);
    },
    giveUp,
  };
};

export type JobPictures = ReturnType<typeof useJobPictures>;
