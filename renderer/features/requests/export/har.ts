import type { RequestDetail } from "../../../../sandbox/contract/control/rows.ts";
import { decodeBody } from "../../../domain/exchange/body.ts";

/** Keys by integration, which replace masked credentials. Without any, credentials stay masked. */
type Keys = ReadonlyMap<string, string>;

type Headers = RequestDetail["request_headers"];

const headerValue = (headers: Headers, name: string): string =>
  headers.find(([header]) => header.toLowerCase() === name)?.[1] ?? "";

const headerItems = (headers: Headers) => headers.map(([name, value]) => ({ name, value }));

const headersWithKey = ({ integration_id, request_headers }: RequestDetail, keys: Keys): Headers => {
  const key = integration_id === null ? undefined : keys.get(integration_id);
  if (key === undefined) return request_headers;
  return request_headers.map(([name, value]) =>
    name.toLowerCase() === "authorization" ? [name, `Bearer ${key}`] : [name, value],
  );
};

/** A body in HAR's form: text, or base64 for bytes. */
const harContent = (base64: string) => {
  const { text } = decodeBody(base64);
  return text === undefined ? { text: base64, encoding: "base64" } : { text };
};

const harEntry = (call: RequestDetail, origin: string, keys: Keys) => {
  const url = new URL(call.path.startsWith("/") ? origin + call.path : origin);
  const body = harContent(call.request_body_base64);
  return {
    startedDateTime: call.at,
    time: call.duration_ms,
    request: {
      method: call.method,
      url: url.href,
      httpVersion: "HTTP/1.1",
      cookies: [],
      headers: headerItems(headersWithKey(call, keys)),
      queryString: [...url.searchParams].map(([name, value]) => ({ name, value })),
      ...(call.request_bytes === 0
        ? {}
        : {
            postData: {
              mimeType: headerValue(call.request_headers, "content-type"),
              text: body.text,
              // HAR has no encoding for posted data.
              ...("encoding" in body ? { comment: "base64" } : {}),
            },
          }),
      headersSize: -1,
      bodySize: call.request_bytes,
    },
    response: {
      status: call.status,
      statusText: "",
      httpVersion: "HTTP/1.1",
      cookies: [],
      headers: headerItems(call.response_headers),
      content: {
        size: call.response_bytes,
        mimeType: headerValue(call.response_headers, "content-type") || "application/octet-stream",
        ...harContent(call.response_body_base64),
      },
      redirectURL: "",
      headersSize: -1,
      bodySize: call.response_bytes,
    },
    cache: {},
    timings: { send: 0, wait: call.duration_ms, receive: 0 },
    comment: `request id ${call.id}`,
  };
};

/** Calls as an HTTP Archive 1.2, oldest first. `origin` is the service's address. */
export const createHar = (
  calls: readonly RequestDetail[],
  origin: string,
  version: string,
  keys: Keys = new Map(),
) => ({
  log: {
    version: "1.2",
    creator: { name: "Integrations Explorer", version },
    entries: calls.toSorted((a, b) => a.at.localeCompare(b.at)).map((call) => harEntry(call, origin, keys)),
  },
});
