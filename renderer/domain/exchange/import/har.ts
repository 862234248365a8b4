import { isObject } from "../../../lib/diff.ts";
import type { Imported, ImportedCall, LeftOut } from "./imported.ts";

type Plain = Readonly<Record<string, unknown>>;

const textIn = (value: unknown): string => (typeof value === "string" ? value : "");
const listIn = (value: unknown): readonly Plain[] => (Array.isArray(value) ? value.filter(isObject) : []);

const fromBase64 = (text: string): string | null => {
  try {
    const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
};

/** What was posted; HAR has no word for bytes that are no text, so that programs say it in their own ways. */
const postedIn = (posted: unknown, leftOut: LeftOut[]): string => {
  if (!isObject(posted)) return "";
  const text = textIn(posted.text);
  if (text === "" && listIn(posted.params).length > 0)
    leftOut.push({ what: "postData.params", why: "Operations take JSON, no form." });
  if (posted.encoding !== "base64" && posted.comment !== "base64") return text;
  const decoded = fromBase64(text);
  if (decoded === null) leftOut.push({ what: "postData.text", why: "The body is no text: it is left empty." });
  return decoded ?? "";
};

/** What came back; none where the archive has no status of it. */
const answeredIn = (response: unknown, leftOut: LeftOut[]): Pick<ImportedCall, "answered"> => {
  const status = isObject(response) ? response.status : null;
  if (!isObject(response) || typeof status !== "number" || !Number.isInteger(status) || status < 100 || status > 599)
    return {};
  const { content } = response;
  if (!isObject(content)) return { answered: { status, body: "" } };
  const text = textIn(content.text);
  const body = content.encoding === "base64" ? fromBase64(text) : text;
  if (body === null) leftOut.push({ what: "content.text", why: "The answer is no text." });
  return { answered: { status, body: body ?? "" } };
};

const callIn = (entry: Plain): ImportedCall | null => {
  const { request } = entry;
  if (!isObject(request) || textIn(request.url) === "") return null;
  const leftOut: LeftOut[] = [];
  if (listIn(request.cookies).length > 0) leftOut.push({ what: "cookies", why: "Operations know no cookies." });
  const headers = listIn(request.headers).map(({ name, value }) => [textIn(name), textIn(value)] as const);
  return {
    name: textIn(entry.startedDateTime),
    method: textIn(request.method) || "GET",
    url: textIn(request.url),
    // Those of HTTP/2 say again what method and address do.
    headers: headers.filter(([name]) => name !== "" && !name.startsWith(":")),
    body: postedIn(request.postData, leftOut),
    ...answeredIn(entry.response, leftOut),
    leftOut,
  };
};

/** The calls of an HTTP Archive, in its order. Null where the value is none. */
export const readHar = (value: unknown): Imported | null => {
  const log = isObject(value) ? value.log : null;
  if (!isObject(log) || !Array.isArray(log.entries)) return null;
  const read = log.entries.map((entry: unknown) => (isObject(entry) ? callIn(entry) : null));
  const unread = read.filter((call) => call === null).length;
  return {
    format: "HAR",
    calls: read.filter((call) => call !== null),
    leftOut:
      unread === 0 ? [] : [{ what: unread === 1 ? "1 entry" : `${unread} entries`, why: "No request is in it." }],
  };
};
