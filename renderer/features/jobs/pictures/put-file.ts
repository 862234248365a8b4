import { failureFrom, ServiceUnreachable } from "../../../lib/service-failure.ts";

interface PutOptions {
  readonly signal: AbortSignal;
  /** Called with the bytes that went out so far. */
  readonly onSent: (bytes: number) => void;
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/** The way to an upload address from this page: the service hands addresses out under one of its names, and a page may have been opened under another. */
const onThisOrigin = (address: string): string => {
  const url = new URL(address, window.location.origin);
  return url.pathname + url.search;
};

const aborted = () => new DOMException("The upload was cancelled.", "AbortError");

const putBytes = (address: string, bytes: Blob, { signal, onSent }: PutOptions): Promise<void> =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("PUT", onThisOrigin(address));
    request.upload.addEventListener("progress", ({ loaded }) => onSent(loaded));
    request.addEventListener("load", () => {
      const { status, responseText } = request;
      if (status === 200) resolve();
      else reject(failureFrom(status, parse(responseText), request.getResponseHeader("x-request-id")));
    });
    request.addEventListener("error", () => reject(new ServiceUnreachable()));
    request.addEventListener("abort", () => reject(aborted()));
    signal.addEventListener("abort", () => request.abort(), { once: true });
    if (signal.aborted) reject(aborted());
    else request.send(bytes);
  });

/** The most the service takes (D6). Of more, one byte more is sent: it is refused all the same, and its answer can be read. */
const MOST_BYTES = 20 * 1024 * 1024;
/** Enough for the service to judge a content by its first bytes (D64). */
const HEAD_BYTES = 1024;

/**
 * Puts a file to a prepared upload address and tells how far it is: what `fetch` cannot tell of a request. A service
 * that refuses in the middle of a large file closes the connection, and its answer may be lost with it: then it is asked
 * again with the first bytes alone.
 * @throws ServiceFailure in the service's words; ServiceUnreachable when nothing answered; an AbortError when aborted
 */
export const putFile = async (address: string, file: Blob, options: PutOptions): Promise<void> => {
  try {
    await putBytes(address, file.size > MOST_BYTES ? file.slice(0, MOST_BYTES + 1) : file, options);
  } catch (error) {
    if (!(error instanceof ServiceUnreachable)) throw error;
    await putBytes(address, file.slice(0, HEAD_BYTES), { ...options, onSent: () => {} });
    // It would have taken it. The address is used up by the first bytes, and the next try asks for another.
    throw error;
  }
};
