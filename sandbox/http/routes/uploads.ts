import type { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { AppServices } from "../../app-services.ts";
import { refuseFor } from "../../contract/causes.ts";
import { Refusal } from "../../contract/errors.ts";
import { isUuid } from "../../contract/schema.ts";
import { findLaterBeginning } from "../../operations/refused-call.ts";
import { refuseEncoding } from "../../operations/validation.ts";
import { DEFAULT_WORLD, isWorldName } from "../../rules/worlds/world-name.ts";
import { findWorldOrigin } from "../../snapshots/world-origin.ts";
import type { UploadRecord } from "../../storage/uploads-store.ts";
import { MAX_IMAGE_BYTES, RejectedUploadError, Reservations } from "../../uploads/media-files.ts";
import {
  findPreparer,
  refuseAddress,
  refuseContent,
  refuseLate,
  refusePicture,
  refuseSignature,
  refuseTooLarge,
  refuseUnknownUpload,
  type SentAddress,
} from "../../uploads/upload-causes.ts";
import { seedMedia } from "../../worlds/seed/seed-media.ts";
import { sendJson, sendRefusal } from "../answers.ts";
import { beginLinkCall, findEscapedWorld, findPreparingWorld, findWorldOfUpload, noteRefusal } from "../link-calls.ts";
import type { ExchangeLog } from "../plugins/exchange-log.ts";

interface Address {
  readonly world: string;
  readonly upload: UploadRecord;
  /** Bytes of images stored for the world. */
  readonly held: number;
}

const namedWorld = ({ query }: FastifyRequest): unknown => (query as SentAddress["query"]).world ?? DEFAULT_WORLD;

const hasSignature = ({ id, query }: SentAddress, { uploads }: AppServices): boolean => {
  const expires = Number(query.expires);
  const { signature } = query;
  return (
    typeof signature === "string" && Number.isSafeInteger(expires) && uploads.signer.verify(id, expires, signature)
  );
};

/** Finds the upload of an address, and begins the record of the call. */
const findUpload = (request: FastifyRequest, services: AppServices): Address | Refusal => {
  const { worlds, uploads } = services;
  const { id } = request.params as { readonly id: string };
  const sent = { id, query: request.query as SentAddress["query"] };
  const begin = (world: string, isProven = false): void =>
    beginLinkCall(request, services, "uploads.put", world, isProven);
  const name = namedWorld(request);
  if (typeof name !== "string" || !isWorldName(name) || !isUuid(id)) {
    begin(typeof name === "string" && isWorldName(name) ? name : DEFAULT_WORLD);
    return refuseAddress();
  }
  if (!hasSignature(sent, services)) {
    const isNamed = (request.query as SentAddress["query"]).world !== undefined;
    const meant =
      findEscapedWorld(request.url) ?? (isNamed ? name : (findPreparingWorld(request.url, services) ?? name));
    begin(meant);
    // For strangers, the response doesn't depend on the world's content.
    const upload = request.exchange
      ? worlds.withIntactWorld(meant, ({ stores }) => stores.uploads.get(id.toLowerCase()))
      : undefined;
    return refuseSignature(sent, uploads.signer, upload);
  }
  begin(name, true);
  const found = worlds.read(name, (world) => {
    const upload = world.stores.uploads.get(id);
    return { upload, held: world.stores.uploads.bytes(), late: upload ? refuseLate(world, upload) : null };
  });
  if (!found?.upload) {
    const later =
      worlds.withIntactWorld(name, (world) => findLaterBeginning(world, id, () => findWorldOrigin(services, world))) ??
      null;
    return refuseUnknownUpload(id, name, (is) => worlds.findOtherWorld(name, is), later);
  }
  const { upload, held, late } = found;
  return late ?? { world: name, upload, held };
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
  if (bytes > MAX_IMAGE_BYTES) return refuseTooLarge();
  const free = quotas.uploadMebibytes * 1024 * 1024 - held;
  const room = reservations.reserve(world, upload.id, bytes, free);
  if (room === "under_way")
    return refuseFor(
      "upload_under_way",
      [],
      "The address is already receiving an upload; wait, or prepare another upload.",
    );
  if (room === "too_much") {
    return refuseFor(
      "upload_no_room",
      [],
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
  const isStored = await worlds.read(name, async (world) => {
    const done = await world.write(() =>
      world.stores.uploads.finish(upload.id, world.now(), received.contentType, received.size),
    );
    if (done) files.keep(name, upload.id, received);
    return done;
  });
  if (!isStored) files.discard(received);
  return isStored ?? false;
};

/** Refuses a compressed or encoded picture. */
const refuseEncoded = ({ headers }: FastifyRequest): Refusal | null => {
  const refused = refuseEncoding(headers["content-encoding"]);
  const { fact } = refused?.why ?? {};
  return refused && refuseFor("upload_encoded", [], refused.message, { fact });
};

/** `PUT /__uploads/<id>`: receives the content of a prepared upload, once (D64). */
export const uploadRoutes = (app: FastifyInstance, services: AppServices, log: ExchangeLog): void => {
  const reservations = new Reservations();
  app.removeAllContentTypeParsers();
  // Streams the content to disk instead of reading it into memory.
  app.addContentTypeParser("*", { bodyLimit: MAX_IMAGE_BYTES }, (_request, content, done) => done(null, content));
  app.put("/__uploads/:id", { bodyLimit: MAX_IMAGE_BYTES }, async (request, reply) => {
    const refuseUpload = (refusal: Refusal): FastifyReply => {
      noteRefusal(request, refusal);
      return sendRefusal(reply, refusal, null);
    };
    const address = findUpload(request, services);
    if (!("world" in address)) return refuseUpload(address);
    const { world, upload } = address;
    const { exchange } = request;
    if (exchange)
      Object.assign(
        exchange.details,
        services.worlds.withIntactWorld(world, (open) => findPreparer(open, upload)),
      );
    const encoded = refuseEncoded(request);
    if (encoded) return refuseUpload(encoded);
    const content = request.body as Readable | undefined;
    const release = reserve(address, declaredBytes(request), services, reservations);
    if (release instanceof Refusal) return refuseUpload(release);
    try {
      if (!(await receive(content ?? request.raw, services, address)))
        return refuseUpload(refuseUnknownUpload(upload.id, world, () => undefined));
      if (exchange) exchange.details.outcome = "picture stored";
      return sendJson(reply, 200, JSON.stringify({ ok: true }));
    } catch (error) {
      // The caller disconnected; this isn't an error.
      if (request.raw.destroyed && !request.raw.complete) {
        noteRefusal(request, refuseFor("upload_aborted"));
        if (exchange) exchange.details.error_code = null;
        await log.write(request, reply, null);
        return reply.hijack();
      }
      if (!(error instanceof RejectedUploadError)) throw error;
      return refuseUpload(refuseContent(error, request.headers));
    } finally {
      release();
    }
  });
};

/**
 * Begins the record of a read of a picture that isn't there, in the world that prepared it. Deployed, only of prepared
 * ones: strangers can't guess their IDs. The explorer's own pages leave no record.
 */
const recordMissing = (request: FastifyRequest, services: AppServices, id: string): Refusal => {
  const { worlds } = services;
  const name = findWorldOfUpload(id, services);
  const refused =
    (name && worlds.withIntactWorld(name, (world) => refusePicture(id, world))) || refusePicture(id, null);
  if (request.headers["sec-fetch-site"] === "same-origin") return refused;
  beginLinkCall(request, services, "media.get", name ?? DEFAULT_WORLD, name !== undefined);
  noteRefusal(request, refused);
  return refused;
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
    return sendRefusal(reply, recordMissing(request, services, id.toLowerCase()), null);
  });
};
