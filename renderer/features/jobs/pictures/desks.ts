import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import type { KeyedCredential } from "../../../app/acting.ts";
import { notify } from "../../../app/notices.tsx";
import { worldKeys } from "../../../app/query-keys.ts";
import { useWorld } from "../../../app/world.ts";
import { plural } from "../../../lib/formatting.ts";
import { callPartner, observePartner } from "../../../lib/service-client.ts";
import { jobKeys } from "../job-keys.ts";
import { createDesk, type PictureDesk, type PictureEdit } from "./picture-desk.ts";
import { putFile } from "./put-file.ts";
import type { UploaderWays } from "./uploader.ts";

/** An address for a picture, through the contract's own operation. */
export const preparePicture = (credential: () => KeyedCredential | null): UploaderWays["prepare"] => {
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
    for (const queryKey of [jobKeys(world).of(jobId), keys.jobs(), keys.partner()])
      void client.invalidateQueries({ queryKey });
  };

/** They outlive the screen: whoever goes on to another job meanwhile loses no picture. */
const desks = new Map<string, PictureDesk>();
const credentials = new Map<string, KeyedCredential | null>();

const warn = (event: BeforeUnloadEvent) => event.preventDefault();
const isBusy = () =>
  [...desks.values()].some(({ uploader }) => uploader.list().some(({ state }) => state !== "failed"));
/** A page that is closed takes the pictures on their way with it. */
const warnWhileBusy = () => {
  window.removeEventListener("beforeunload", warn);
  if (isBusy()) window.addEventListener("beforeunload", warn);
};

/** The desk of a job in this window, made when it is first asked for. */
export const usePictureDesk = (jobId: string, credential: KeyedCredential | null): PictureDesk => {
  const world = useWorld();
  const client = useQueryClient();
  const name = `${world} ${jobId}`;
  credentials.set(name, credential);
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
