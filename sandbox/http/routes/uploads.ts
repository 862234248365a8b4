import type { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { AppServices } from "../../app-services.ts";
import { Refusal, refuse } from "../../contract/errors.ts";
import { isUuid } from "../../contract/schema.ts";
import { refuseEncoding } from "../../operations/validation.ts";
import { DEFAULT_WORLD, isWorldName } from "../../rules/worlds/world-name.ts";
import type { UploadRecord } from "../../storage/uploads-store.ts";
import { IMAGE_TOO_LARGE, MAX_IMAGE_BYTES, RejectedUploadError, Reservations } from "../../uploads/media-files.ts";
import { seedMedia } from "../../worlds/seed/seed-media.ts";
import { sendError, sendJson, sendRefusal } from "../answers.ts";

interface Address {
  readonly world: string;
  readonly upload: UploadRecord;
  /** Bytes of images stored for the world. */
  readonly held: number;
}

const refuseUnknownUpload = (): Refusal =>
  refuse("not_found", "Upload address not found; the world may have been reset.");

const findUpload = (request: FastifyRequest, services: AppServices): Address | Refusal => {
  const { id } = request.params as { readonly id: string };
  const query = request.query as Readonly<Record<string, unknown>>;
  const name = query.world ?? DEFAULT_WORLD;
  const expires = Number(query.expires);
  const signature = query.signature;
  if (typeof name !== "string" || !isWorldName(name) || !isUuid(id))
    return refuse("not_found", "Upload address not found.");
  if (
    typeof signature !== "string" ||
    !Number.isSafeInteger(expires) ||
    !services.uploads.signer.verify(id, expires, signature)
  ) {
    return refuse("forbidden", "The address is invalid: its signature doesn’t match.");
  }
  const found = services.worlds.read(name, (world) => ({
    ...{ upload: world.stores.uploads.get(id), held: world.stores.uploads.bytes(), now: world.now() },
  }));
  if (!found?.upload) return refuseUnknownUpload();
  const { upload, held, now } = found;
  if (upload.uploaded_at !== null) return refuse("forbidden", "The address was already used; prepare another upload.");
  if (now > upload.expires_at) return refuse("forbidden", "The address has expired; prepare another upload.");
  return { world: name, upload, held };
};

/** Largest possible size by the caller's Content-Length; the overall limit without one. */
const declaredBytes = ({ headers }: FastifyRequest): number =>
  headers["content-length"] === undefined ? MAX_IMAGE_BYTES : Number(headers["content-length"]);

/** D86: reserves space for an image before it is written. */
const reserve = (
  { world, upload, held }: Address,
  bytes: number,
  { quotas }: AppServices,
  reservations: Reservations,
): Refusal | (() => void) => {
  if (bytes > MAX_IMAGE_BYTES) return refuse("payload_too_large", IMAGE_TOO_LARGE);
  const free = quotas.uploadMebibytes * 1024 * 1024 - held;
  const room = reservations.reserve(world, upload.id, bytes, free);
  if (room === "under_way")
    return refuse("forbidden", "The address is already receiving an upload; wait, or prepare another upload.");
  if (room === "too_much") {
    return refuse(
      "payload_too_large",
      `This upload would exceed the world’s limit of ${quotas.uploadMebibytes} MiB. Reset the world, or use another.`,
    );
  }
  return room;
};

/** @returns whether the image was stored; false if its world was reset or deleted meanwhile */
const receive = async (
  content: Readable,
  { uploads: { files }, worlds }: AppServices,
  { world: name, upload }: Address,
): Promise<boolean> => {
  const received = await files.receive(content);
  // Moves the image into place within the lease, because a reset clears the folder.
  const kept = await worlds.read(name, async (world) => {
    const done = await world.write(() =>
      world.stores.uploads.finish(upload.id, world.now(), received.contentType, received.size),
    );
    if (done) files.keep(name, upload.id, received);
    return done;
  });
  if (!kept) files.discard(received);
  return kept ?? false;
};

/** `PUT /__uploads/<id>`: receives the content of a prepared upload, once (D64). */
export const uploadRoutes = (app: FastifyInstance, services: AppServices): void => {
  const reservations = new Reservations();
  app.removeAllContentTypeParsers();
  // Streams the content to disk instead of reading it into memory.
  app.addContentTypeParser("*", { bodyLimit: MAX_IMAGE_BYTES }, (_request, content, done) => done(null, content));
  app.put("/__uploads/:id", { bodyLimit: MAX_IMAGE_BYTES }, async (request, reply) => {
    const address = findUpload(request, services);
    if (!("world" in address)) {
      sendRefusal(reply, address, null);
      return reply;
    }
    const encoded = refuseEncoding(request.headers["content-encoding"]);
    if (encoded) {
      sendRefusal(reply, encoded, null);
      return reply;
    }
    const content = request.body as Readable | undefined;
    const release = reserve(address, declaredBytes(request), services, reservations);
    if (release instanceof Refusal) {
      sendRefusal(reply, release, null);
      return reply;
    }
    try {
      if (await receive(content ?? request.raw, services, address)) sendJson(reply, 200, JSON.stringify({ ok: true }));
      else sendRefusal(reply, refuseUnknownUpload(), null);
    } catch (error) {
      // The caller disconnected; this is no error.
      if (request.raw.destroyed && !request.raw.complete) return reply.hijack();
      if (!(error instanceof RejectedUploadError)) throw error;
      sendError(reply, error.code, error.message);
    } finally {
      release();
    }
    return reply;
  });
};

const sendMedia = (reply: FastifyReply, services: AppServices, id: string, name: string): FastifyReply | null => {
  const seeded = seedMedia.find((one) => one.id === id && one.name === name);
  if (seeded) return reply.type(seeded.media_type).sendFile(seeded.file, services.mediaFolder);
  const uploaded = services.uploads.files.find(id);
  if (!uploaded) return null;
  return reply.sendFile(uploaded.name, uploaded.root);
};

/** `GET /__media/<id>/<name>`: seeded and uploaded images, always with their image type (D64). */
export const mediaRoutes = (app: FastifyInstance, services: AppServices): void => {
  app.get("/__media/:id/:name", (request, reply) => {
    const { id, name } = request.params as { readonly id: string; readonly name: string };
    reply
      .header("cache-control", "public, max-age=86400")
      .header("content-disposition", "inline")
      .header("cross-origin-resource-policy", "cross-origin");
    const sent = sendMedia(reply, services, id, name);
    if (sent) return sent;
    reply.removeHeader("content-disposition");
    sendError(reply, "not_found", "Picture not found.");
    return reply;
  });
};
