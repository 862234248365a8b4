import { uploadsPrepare } from "../contract/operations/partner.ts";
import { mediaName } from "../rules/media.ts";
import { DEFAULT_WORLD } from "../rules/worlds/world-name.ts";
import { handler } from "./handler.ts";

/** D64: lifetime of an upload address, in milliseconds on the world's clock. */
const UPLOAD_LIFETIME_MS = 15 * 60_000;

/** Contract, "uploads.prepare": a signed address for one upload, and the file's later address. */
export const prepareUpload = handler(uploadsPrepare, (context, { file_name, type }) => {
  const id = context.newId();
  const expires_at = context.now + UPLOAD_LIFETIME_MS;
  const { organization_id } = context.caller;
  context.stores.uploads.prepare({ id, organization_id, file_name, type, prepared_at: context.now, expires_at });
  const query = new URLSearchParams({ expires: String(expires_at), signature: context.signUpload(id, expires_at) });
  if (context.world !== DEFAULT_WORLD) query.set("world", context.world);
  context.about({ outcome: "address prepared" });
  return {
    upload_url: `${context.baseUrl}/__uploads/${id}?${query}`,
    public_url: `${context.baseUrl}/__media/${id}/${mediaName(file_name)}`,
  };
});
