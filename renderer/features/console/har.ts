import type { Imported, ImportedCall } from "../../domain/exchange/import/imported.ts";
import { isObject } from "../../lib/diff.ts";

type Plain = Readonly<Record<string, unknown>>;

const readText = (value: unknown): string => (typeof value === "string" ? value : "");
const readList = (value: unknown): readonly Plain[] => (Array.isArray(value) ? value.filter(isObject) : []);

const fromBase64 = (text: string): string | null => {
  try {
    const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
};

/** Returns a posted text; null for bytes, which HAR cannot represent portably. */
const readPosted = (posted: unknown): string | null => {
  if (!isObject(posted)) return "";
  const isBase64 = posted.encoding === "base64" || posted.comment === "base64";
  return isBase64 ? fromBase64(readText(posted.text)) : readText(posted.text);
};

const readCall = (entry: unknown): ImportedCall | null => {
  const request = isObject(entry) ? entry.request : null;
  if (!isObject(request) || readText(request.url) === "") return null;
  const headers = readList(request.headers).map(({ name, value }) => [readText(name), readText(value)] as const);
  const body = readPosted(request.postData);
  return {
    method: readText(request.method) || "GET",
    url: readText(request.url),
    // HTTP/2 pseudo-headers repeat method and address.
    headers: headers.filter(([name]) => name !== "" && !name.startsWith(":")),
    body: body ?? "",
    leftOut: body === null ? ["the body, which is not text"] : [],
  };
};

/** The calls in an HTTP Archive, in its order. Null when the value isn't one. */
export const readHar = (value: unknown): Imported | null => {
  const log = isObject(value) ? value.log : null;
  if (!isObject(log) || !Array.isArray(log.entries)) return null;
  const calls = log.entries.map(readCall).filter((call) => call !== null);
  const unread = log.entries.length - calls.length;
  return { format: "HAR", calls, leftOut: unread === 0 ? [] : [`${unread} of ${log.entries.length} entries`] };
};
