import { request } from "../cause-examples.ts";
import { INTERFACE_VERSION } from "../operation.ts";
import { at, type Row } from "./row.ts";

/** Refusals outside the operations: by address, host, size, limits and defects. */
export const serviceCauses = {
  tenant: at("tenant", "bad_request", null, ["D81"], {
    sentence: "The `x-sandbox-tenant` header is not a valid world name.",
    remedy: "Send 1 to 64 of `A–Z a–z 0–9 . _ -`, or leave the header out.",
    example: () => ({ tenant: "no name" }),
  }),
  unknown_operation: at("address", "not_found", null, ["D5"], {
    sentence: "No operation has this address.",
    remedy: "Check the name and the version in the address.",
    example: request("POST", "/api/2026-01/repairer.job.get"),
  }),
  unknown_path: at("address", "not_found", null, ["D5"], {
    sentence: "No route matches this path.",
    remedy: "Check the path and the version, for example `/api/2026-01/businesses.list`.",
    example: request("POST", "/jobs"),
  }),
  unknown_version: at("address", "not_found", null, ["D5"], {
    sentence: `The address has another version than \`${INTERFACE_VERSION}\`.`,
    remedy: `Send the call to version \`${INTERFACE_VERSION}\`.`,
    example: request("POST", "/api/2025-10/businesses.list"),
  }),
  method: at("address", "method_not_allowed", null, ["D5"], {
    sentence: "This path doesn’t accept this method.",
    remedy: "Use a method that the `Allow` header of the response lists.",
    example: request("GET", "/api/2026-01/businesses.list"),
  }),
  cross_site: at("host", "forbidden", null, ["D90"], {
    sentence: "A web page of another site sent the call.",
    remedy: "Send the call from your program or backend, not from a page in a browser.",
    example: request("POST", "/api/2026-01/businesses.list", { headers: { origin: "https://example.com" } }),
  }),
  host: at("host", "misdirected_request", null, ["D2"], {
    sentence: "The `Host` header names a host that this service doesn’t serve.",
    remedy: "Call the service at the address that it printed, or start it with `--allow-host` and this name.",
    example: request("POST", "/api/2026-01/businesses.list", { headers: { host: "example.com" } }),
  }),
  too_large: at("size", "payload_too_large", null, ["D6"], {
    sentence: "The body is larger than 1 MiB.",
    remedy: "Send less data in one call. Upload pictures with `uploads.prepare`.",
    example: request("POST", "/api/2026-01/businesses.list", { pipe: "head -c 1048577 /dev/zero" }),
  }),
  unreadable: at("protocol", "bad_request", null, [], {
    sentence: "The bytes are not an HTTP request.",
    remedy: "The request is cut off or isn’t HTTP/1.1. Compare it with what your client sent.",
    arises: "A client speaks another protocol, such as TLS, to a port of plain HTTP, or stops within a request.",
  }),
  rate_limited: at("limit", "rate_limited", null, ["D11"], {
    sentence: "There were too many calls with this key, or from this address, within a minute.",
    remedy: "Wait as many seconds as `Retry-After` says, then send the call again. Spread calls out.",
    arises: "Only a sandbox that was started with `--rate-limit` refuses for this.",
  }),
  world_unavailable: at("world", "world_unavailable", null, ["D87"], {
    sentence: "The file of this world is damaged.",
    remedy: "Reset, restore or delete the world. Other worlds are not affected.",
    arises: "A disk or a program other than the sandbox damaged the file.",
  }),
  too_many_worlds: at("world", "too_many_worlds", null, ["D85"], {
    sentence: "The limit of worlds is reached, so no new world was created.",
    remedy: "Delete worlds that you don’t need, or raise `--max-worlds`.",
    arises: "Calls name more worlds than `--max-worlds` allows.",
  }),
  storage_unavailable: at("rules", "storage_unavailable", null, ["D12"], {
    sentence: "The change could not be stored.",
    remedy:
      "Free some space or check the data folder. Check whether the change was made before you send the call again.",
    arises: "The disk of the sandbox is full, or refuses to write.",
  }),
  internal_error: at("rules", "internal_error", null, ["D12"], {
    sentence: "Something unexpected happened.",
    remedy:
      "Check whether something was changed, then send the call again. If it fails again, report it with the request ID.",
    arises: "The sandbox has a defect.",
  }),
} as const satisfies Readonly<Record<string, Row>>;
