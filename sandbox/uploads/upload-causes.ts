import type { IncomingHttpHeaders } from "node:http";
import { refuseFor } from "../contract/causes.ts";
import type { Side } from "../contract/control/rows.ts";
import { Refusal, type RefusalReason } from "../contract/errors.ts";
import { isUuid } from "../contract/schema.ts";
import { findDecisiveMove } from "../operations/clock-moves.ts";
import { EARLIER_CALL, type EarlierCall, MAX_CALLS_SEARCHED } from "../operations/earlier-calls.ts";
import { describeSimilar } from "../operations/likely-mistakes.ts";
import type { Beginning, FindOtherWorld } from "../operations/refused-call.ts";
import { formatDuration } from "../rules/timestamp.ts";
import { realTime } from "../storage/real-time.ts";
import type { UploadRecord } from "../storage/uploads-store.ts";
import type { World } from "../worlds/world.ts";
import { IMAGE_TOO_LARGE, type RejectedUploadError } from "./media-files.ts";
import type { UploadSigner } from "./upload-signature.ts";

/** Parts of an upload's address as they were sent. */
export interface SentAddress {
  readonly id: string;
  readonly query: Readonly<Record<string, unknown>>;
}

/** Refuses an address that can't be an upload's. */
export const refuseAddress = (): Refusal => refuseFor("upload_address", [], "Upload address not found.");

/** Describes an address whose end is missing or escaped; null for others. */
export const describeCutAddress = ({ signature, expires, ...query }: SentAddress["query"]): string | null => {
  if (String(expires).includes("&")) return "Each `&` in the address was percent-encoded as `%26`.";
  if (String(expires).includes("\\u0026")) return "Each `&` in the address was written as `\\u0026`.";
  if (Object.hasOwn(query, "amp;signature")) return "Each `&` in the address was written as `&amp;`.";
  if (signature === undefined) return "The address has no `signature`: its end is missing.";
  if (typeof signature !== "string") return "The address has `signature` twice.";
  return typeof expires === "string" ? null : "The address has no `expires`, or has it twice.";
};

/** @param upload the upload of that ID in the named world, if there is one */
const describeSignature = (
  { id, query }: SentAddress,
  signer: UploadSigner,
  upload: UploadRecord | undefined,
): string | null => {
  const problem = describeCutAddress(query);
  if (problem !== null || !upload) return problem;
  const { signature, expires } = query;
  const issued = signer.sign(id.toLowerCase(), upload.expires_at);
  if (signature === issued)
    return expires === String(upload.expires_at)
      ? "The signature covers the ID in lower case."
      : "`expires` was changed. The signature covers it.";
  const nearly = describeSimilar(String(signature), [issued]);
  return nearly && `The signature is ${nearly}.`;
};

/** Refuses an address whose signature doesn't match. */
export const refuseSignature = (sent: SentAddress, signer: UploadSigner, upload: UploadRecord | undefined): Refusal =>
  refuseFor("upload_signature", [], "The address is invalid: its signature doesn’t match.", {
    fact: describeSignature(sent, signer, upload),
  });

/** @param named the world that the address names. @param age of that world, if the upload is older */
export const refuseUnknownUpload = (
  id: string,
  named: string,
  findOtherWorld: FindOtherWorld,
  later: Beginning | null = null,
): Refusal => {
  const { code, message, why } = refuseFor(
    "upload_unknown",
    [],
    "Upload address not found; the world may have been reset.",
    later === null
      ? {}
      : {
          fact: `The upload was prepared before world ${named} was ${later.how}, ${later.ago} before this call.`,
          remedy: "Prepare another upload in this world. A reset, a restore or a deletion takes what a world held.",
          ...later.side,
        },
  );
  const world = findOtherWorld(({ stores }) => stores.uploads.get(id) !== undefined);
  const fact = `The upload was prepared in world ${world}; this address names ${named}.`;
  return new Refusal(code, message, why && world !== undefined ? { ...why, elsewhere: { world, fact } } : why);
};

/** Refuses an address that was used or has expired; null if it takes a picture. */
export const refuseLate = (
  world: World,
  { id, uploaded_at, prepared_at, expires_at }: UploadRecord,
): Refusal | null => {
  const now = world.now();
  if (uploaded_at !== null) {
    const fact = `The address was already used, ${formatDuration(now - uploaded_at)} before this call. It has a picture.`;
    const earlier = findPut(world, id, true)?.id;
    return refuseFor("upload_used", [], "The address was already used; prepare another upload.", { fact, earlier });
  }
  if (now <= expires_at) return null;
  const moved = findDecisiveMove(world, prepared_at, expires_at);
  const message = "The address has expired; prepare another upload.";
  if (moved === null)
    return refuseFor("upload_expired", [], message, {
      fact: `The address expired ${formatDuration(now - expires_at)} before this call.`,
    });
  const fact = `The address expired because this world’s clock was moved ${formatDuration(moved)} ahead after it was prepared.`;
  return refuseFor("upload_clock", [], message, { fact, side: "sandbox" });
};

const NO_PICTURE =
  "Picture not found: nothing was uploaded, or its world was reset. Send the picture to its upload_url first.";
/** Refuses to send a picture that isn't there. */
export const refusePicture = (id: string, world: World | null): Refusal => {
  const upload = world?.stores.uploads.get(id);
  if (!world || !upload)
    return refuseFor(
      "picture_unknown",
      [],
      NO_PICTURE,
      isUuid(id) ? {} : { fact: `The address has \`${id.slice(0, 40)}\` in place of a picture’s ID.` },
    );
  const now = world.now();
  const isMoved = now > upload.expires_at && findDecisiveMove(world, upload.prepared_at, upload.expires_at) !== null;
  const age = `${formatDuration(now - upload.prepared_at)} before this call${isMoved ? " by this world’s clock, which was moved" : ""}`;
  const tried = findPut(world, id, false);
  const refused = refuseFor("picture_missing", [], NO_PICTURE, {
    fact: `Nothing was uploaded to this picture’s address, which was prepared ${age}.`,
    ...(now > upload.expires_at
      ? { remedy: "Prepare another upload, send the picture to its `upload_url` with PUT, and use its `public_url`." }
      : {}),
  });
  const { code, message, why } = refused;
  return why && tried
    ? new Refusal(code, message, {
        ...why,
        fact: `The picture isn’t there, because its upload was refused with ${tried.status}, ${formatDuration(realTime() - world.db.fromStored(tried.at))} before this call.`,
        earlier: tried.id,
        remedy: "Correct the upload as its own explanation says, and send it again. Then read the picture.",
      })
    : refused;
};

export const refuseTooLarge = (): Refusal => refuseFor("upload_too_large", [], IMAGE_TOO_LARGE);

const CONVERT = "Send the picture as PNG, JPEG, WebP, GIF or HEIC.";
/** First bytes, as Latin-1, of content that programs send instead of an image's bytes. */
const CONTENTS: readonly (readonly [pattern: RegExp, fact: string, remedy?: string])[] = [
  [/^data:/, "The body is a `data:` address, which holds the picture as text."],
  [/^(?:iVBORw0K|\/9j\/|R0lGOD|UklGR)/, "The body is the picture in Base64."],
  [/^\xef\xbf\xbd/, "The picture was read as text, which damaged its bytes."],
  [/^%PDF/, "The body is a PDF.", CONVERT],
  [/^(?:\xef\xbb\xbf)?\s*<(?:svg|\?xml)/, "The body is SVG or other XML.", CONVERT],
  [/^BM/, "The body is a BMP picture.", CONVERT],
  [/^(?:II\*\0|MM\0\*)/, "The body is a TIFF picture.", CONVERT],
  [/^....ftypavi[fs]/s, "The body is an AVIF picture.", CONVERT],
  [/^....ftyp(?:mp4|isom|qt)/s, "The body is a video.", CONVERT],
];

/** Describes a body that was sent instead of an image's bytes. */
export const describeBody = (
  headers: IncomingHttpHeaders,
  head: Buffer = Buffer.alloc(0),
): Pick<RefusalReason, "fact" | "remedy"> => {
  const type = headers["content-type"] ?? "";
  if (/^multipart\/form-data\b/i.test(type))
    return { fact: "The picture was sent in a form (`multipart/form-data`), not as the whole body." };
  if (/^application\/json\b/i.test(type)) return { fact: "The body is JSON, by its `Content-Type`." };
  if (headers["content-length"] === "0") return { fact: "The body is empty." };
  const text = head.toString("latin1");
  const [, fact, remedy] = CONTENTS.find(([pattern]) => pattern.test(text)) ?? [];
  return { ...(fact === undefined ? {} : { fact }), ...(remedy === undefined ? {} : { remedy }) };
};

/** Refuses the content of an upload. */
export const refuseContent = ({ code, message, head }: RejectedUploadError, headers: IncomingHttpHeaders): Refusal =>
  code === "payload_too_large"
    ? refuseTooLarge()
    : refuseFor("upload_not_an_image", [], message, describeBody(headers, head));

/** Newest call that sent a picture to an upload, and was or wasn't accepted. */
const findPut = ({ db }: World, id: string, isAccepted: boolean): EarlierCall | undefined =>
  db.get<EarlierCall>(
    `SELECT ${EARLIER_CALL} FROM requests WHERE seq > (SELECT max(seq) FROM requests) - ${MAX_CALLS_SEARCHED}
     AND operation = 'uploads.put' AND status ${isAccepted ? "= 200" : ">= 400"} AND instr(path, ?) > 0 ORDER BY seq DESC LIMIT 1`,
    id,
  );

/** Caller that prepared an upload, as far as it is known. */
export const findPreparer = ({ db }: World, { id, organization_id }: UploadRecord) => {
  const own = db.all<{ readonly integration_id: string; readonly side: Side }>(
    "SELECT integration_id, scope AS side FROM credentials WHERE organization_id = ?",
    organization_id,
  );
  const prepared =
    own.length > 1
      ? db.get<{ readonly integration_id: string }>(
          `SELECT integration_id FROM (SELECT operation, integration_id, response_body FROM requests ORDER BY seq DESC LIMIT ${MAX_CALLS_SEARCHED}) ` +
            "WHERE operation = 'uploads.prepare' AND instr(CAST(response_body AS TEXT), ?) > 0",
          id,
        )?.integration_id
      : own[0]?.integration_id;
  return own.find(({ integration_id }) => integration_id === prepared);
};
