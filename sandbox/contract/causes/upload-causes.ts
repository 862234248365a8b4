import { first, inOther, LATER, OTHER_WORLD, PICTURE, RESET, request, UPLOAD } from "../cause-examples.ts";
import type { ErrorCode } from "../errors.ts";
import type { DecisionId } from "../openapi/decisions.ts";
import { UNUSED_ID } from "../values.ts";
import { at, type CauseTexts, type Row } from "./row.ts";

const upload = <const Code extends ErrorCode>(code: Code, decision: DecisionId, texts: CauseTexts) =>
  at("rules", code, null, [decision], texts);

/** Refusals of a picture at its upload address. */
export const uploadCauses = {
  upload_address: at("address", "not_found", null, ["D64"], {
    sentence: "The address is not an upload’s: its ID is not a UUID, or its `world` is not a world name.",
    remedy: "Send the picture to the whole `upload_url` that `uploads.prepare` returned, unchanged.",
    example: request("PUT", "/__uploads/example.gif"),
  }),
  upload_signature: at("credentials", "forbidden", null, ["D64"], {
    sentence: "The signature doesn’t match the upload’s address.",
    remedy: "Send the picture to the whole `upload_url` that `uploads.prepare` returned, unchanged.",
    example: request("PUT", `${UPLOAD}x`, { after: [first("uploads.prepare", PICTURE, "upload")] }),
  }),
  upload_unknown: upload("not_found", "D64", {
    sentence: "The upload was prepared in another world, or before this world was reset.",
    remedy: "Prepare another upload, and keep the `world` of its address.",
    example: request("PUT", UPLOAD, {
      after: [inOther("uploads.prepare", PICTURE, "upload"), RESET],
      tenant: OTHER_WORLD,
    }),
  }),
  upload_elsewhere: upload("not_found", "D64", {
    sentence: "The upload was prepared in another world.",
    remedy: "Send the picture to the whole `upload_url`, with the `world` it was issued with.",
    example: request("PUT", `${UPLOAD}&world=${OTHER_WORLD}`, {
      after: [first("uploads.prepare", PICTURE, "upload"), inOther("businesses.list", {})],
      tenant: OTHER_WORLD,
    }),
  }),
  upload_used: upload("forbidden", "D64", {
    sentence: "The upload’s address was already used.",
    remedy:
      "If the call repeated the upload, nothing is left to do: the `public_url` shows the picture. To send another one, prepare another upload.",
    example: request("PUT", UPLOAD, {
      ...{ after: [first("uploads.prepare", PICTURE, "upload")], text: "GIF89a", twice: true },
    }),
  }),
  upload_expired: upload("forbidden", "D64", {
    sentence: "The upload’s address has expired.",
    remedy: "Prepare another upload, and send the picture within 15 minutes.",
    arises: "A program keeps an address for more than 15 minutes before it sends the picture.",
  }),
  upload_clock: upload("forbidden", "D64", {
    sentence: "The upload’s address expired because this world’s clock was moved.",
    remedy: "Put the clock back with `clock.reset`, or prepare another upload.",
    example: request("PUT", UPLOAD, {
      after: [inOther("uploads.prepare", PICTURE, "upload"), LATER],
      tenant: OTHER_WORLD,
    }),
  }),
  upload_under_way: upload("forbidden", "D64", {
    sentence: "The upload’s address is receiving a picture already.",
    remedy: "Wait for the response to the first upload, or prepare another.",
    arises: "A program sends a picture twice at the same time.",
  }),
  upload_too_large: upload("payload_too_large", "D6", {
    sentence: "The picture is larger than 20 MiB.",
    remedy: "Send a smaller picture. The address stays valid.",
    example: request("PUT", UPLOAD, {
      after: [first("uploads.prepare", PICTURE, "upload")],
      pipe: "head -c 20971521 /dev/zero",
    }),
  }),
  upload_no_room: upload("payload_too_large", "D86", {
    sentence: "The world has reached its limit of uploaded pictures.",
    remedy: "Reset the world, use another, or raise `--max-uploads`.",
    arises: "The pictures of a world together are larger than `--max-uploads` allows, 256 MiB unless set.",
  }),
  upload_not_an_image: upload("unsupported_media_type", "D64", {
    sentence: "The bytes are not a PNG, JPEG, WebP, GIF or HEIC image.",
    remedy: "Send the bytes of the picture as the whole body: not in a form, and not as text.",
    example: request("PUT", UPLOAD, { after: [first("uploads.prepare", PICTURE, "upload")], text: "no picture" }),
  }),
  upload_encoded: upload("unsupported_media_type", "D14", {
    sentence: "The picture is compressed or encoded.",
    remedy: "Send the picture uncompressed, without a `Content-Encoding` header.",
    example: request("PUT", UPLOAD, {
      after: [first("uploads.prepare", PICTURE, "upload")],
      headers: { "content-encoding": "gzip" },
    }),
  }),
  picture_missing: upload("not_found", "D64", {
    sentence: "Nothing was uploaded to this picture’s address.",
    remedy: "Send the picture to its `upload_url` with PUT first, then read it again.",
    example: request("GET", "{{upload.public_url}}", { after: [first("uploads.prepare", PICTURE, "upload")] }),
  }),
  picture_unknown: upload("not_found", "D64", {
    sentence: "No picture has this address.",
    remedy: "Read the whole `public_url`, unchanged. If its world was reset or deleted, upload the picture again.",
    example: request("GET", `/__media/${UNUSED_ID}/example.gif`),
  }),
  upload_aborted: upload("bad_request", "D64", {
    sentence: "The connection was closed before the whole picture arrived.",
    remedy: "Send the picture again: its address stays valid. Allow the client more time.",
    arises: "A client stops within the picture, for example at its own timeout.",
  }),
} as const satisfies Readonly<Record<string, Row>>;
