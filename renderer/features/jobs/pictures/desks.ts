import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import type { KeyedCredential } from "../../../app/acting.ts";
import { notify } from "../../../app/notices.tsx";
import { worldKeys } from "../../../app/query-keys.ts";
import { useWorld } from "../../../app/world.ts";
import { plural } from "../../../lib/formatting.ts";
import { callPartner, observePartner } from "../../../lib/service-client.ts";
import { failureFrom, ServiceUnreachable } from "../../../lib/service-failure.ts";
import { createDesk, type PictureDesk, type PictureEdit } from "./picture-desk.ts";
import { createUploader, type Upload, type Uploader, type UploaderWays } from "./uploader.ts";

interface PutOptions {
  readonly signal: AbortSignal;
  /** Called with the bytes that went out so far. */
  readonly onSent: (bytes: number) => void;
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/** The way to an upload address from this page: the service hands addresses out under one of its names, and a page may have been opened under another. */
const onThisOrigin = (address: string): string => {
  const url = new URL(address, window.location.origin);
  return url.pathname + url.search;
};

const aborted = () => new DOMException("The upload was cancelled.", "AbortError");

const putBytes = (address: string, bytes: Blob, { signal, onSent }: PutOptions): Promise<void> =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("PUT", onThisOrigin(address));
    request.upload.addEventListener("progress", ({ loaded }) => onSent(loaded));
    request.addEventListener("load", () => {
      const { status, responseText } = request;
      if (status === 200) resolve();
      else reject(failureFrom(status, parse(responseText), request.getResponseHeader("x-request-id")));
    });
    request.addEventListener("error", () => reject(new ServiceUnreachable()));
    request.addEventListener("abort", () => reject(aborted()));
    signal.addEventListener("abort", () => request.abort(), { once: true });
    if (signal.aborted) reject(aborted());
    else request.send(bytes);
  });

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
const putFile = async (address: string, file: Blob, options: PutOptions): Promise<void> => {
  try {
    await putBytes(address, file.size > MOST_BYTES ? file.slice(0, MOST_BYTES + 1) : file, options);
  } catch (error) {
    if (!(error instanceof ServiceUnreachable)) throw error;
    await putBytes(address, file.slice(0, HEAD_BYTES), { ...options, onSent: () => {} });
    // It would have taken it. The address is used up by the first bytes, and the next attempt asks for another.
    throw error;
  }
};

/** An address for a picture, through the contract's own operation. */
const preparePicture = (credential: () => KeyedCredential | null): UploaderWays["prepare"] => {
  return ({ name }, signal) =>
    callPartner("uploads.prepare", { file_name: name, media_type: "image", type: "job_media" }, credential(), {
      signal,
    });
};

const changed = (before: readonly string[], after: readonly string[]): string => {
  const by = after.length - before.length;
  if (by === 0) return "Pictures changed";
  return `${plural(Math.abs(by), "picture")} ${by > 0 ? "added" : "removed"}`;
};

interface DeskOf {
  readonly client: QueryClient;
  readonly world: string;
  readonly jobId: string;
  readonly credential: () => KeyedCredential | null;
}

/** Reads the job, so that what others changed meanwhile stays, and updates its pictures alone (D32). */
const writePictures =
  ({ client, world, jobId, credential }: DeskOf) =>
  async (edit: PictureEdit): Promise<void> => {
    const key = credential();
    const job = await observePartner("repairer.jobs.get", { identity: { id: jobId } }, key);
    const before = job.images.map(({ public_url }) => public_url);
    const images = [...edit(before)];
    const { id, repairer_site_id } = job;
    const body = { identity: { id }, repairer_site_id, images, if_: { exists: "update" as const } };
    await callPartner("repairer.jobs.insert", body, key);
    notify.done({
      title: changed(before, images),
      detail: `${job.job_number ?? "The job"} was updated: 1 event, repairer.jobs.`,
    });
    const keys = worldKeys(world);
    for (const queryKey of [keys.ofJob(jobId), keys.jobs(), keys.partner()])
      void client.invalidateQueries({ queryKey });
  };

/** They outlive the screen: whoever goes on to another job meanwhile loses no picture. */
const desks = new Map<string, PictureDesk>();
const credentials = new Map<string, KeyedCredential>();

const warn = (event: BeforeUnloadEvent) => event.preventDefault();
const isBusy = () =>
  [...desks.values()].some(({ uploader }) => uploader.list().some(({ state }) => state !== "failed"));
/** A page that is closed takes the pictures on their way with it. */
const warnWhileBusy = () => {
  window.removeEventListener("beforeunload", warn);
  if (isBusy()) window.addEventListener("beforeunload", warn);
};

/** The desk of a job in this window, made when it is first asked for. */
export const usePictureDesk = (jobId: string, credential: KeyedCredential): PictureDesk => {
  const world = useWorld();
  const client = useQueryClient();
  const name = `${world} ${jobId}`;
  useEffect(() => {
    credentials.set(name, credential);
  }, [name, credential]);
  let desk = desks.get(name);
  if (!desk) {
    const key = () => credentials.get(name) ?? null;
    const write = writePictures({ client, world, jobId, credential: key });
    desk = createDesk({ prepare: preparePicture(key), put: putFile, write });
    desk.uploader.subscribe(warnWhileBusy);
    desks.set(name, desk);
  }
  return desk;
};

export const useDeskState = (desk: PictureDesk) => useSyncExternalStore(desk.subscribe, desk.state);

export const useUploadList = (uploader: Uploader): readonly Upload[] =>
  useSyncExternalStore(uploader.subscribe, uploader.list);

/** Sends pictures for a form: what arrives is the form's; what is on its way when the form goes is stopped. */
export const useFormUploader = (
  credential: KeyedCredential,
  onArrived: (publicUrls: readonly string[]) => void,
): Uploader => {
  const latest = useRef({ credential, onArrived });
  useEffect(() => {
    latest.current = { credential, onArrived };
  });
  const [uploader] = useState(() =>
    createUploader({
      prepare: preparePicture(() => latest.current.credential),
      put: putFile,
      onArrived: (urls) => latest.current.onArrived(urls),
    }),
  );
  useEffect(() => () => uploader.cancelAll(), [uploader]);
  return uploader;
};
