import { create } from "zustand";

/** A pending or failed upload. */
export interface Upload {
  readonly id: number;
  /** The job and its world. */
  readonly owner: string;
  readonly file: File;
  readonly sentBytes: number;
  /** The reason for a failure; null while pending. */
  readonly error: Error | null;
  readonly stop: AbortController;
}

export interface UploadMethods {
  /** Requests an upload address; each is valid once. */
  readonly prepare: (file: File, signal: AbortSignal) => Promise<{ upload_url: string; public_url: string | null }>;
  readonly put: (
    address: string,
    file: File,
    options: { readonly signal: AbortSignal; readonly onSent: (bytes: number) => void },
  ) => Promise<void>;
  /** Called with the uploaded pictures of a batch in their order; never with none. */
  readonly onArrived: (publicUrls: readonly string[]) => void;
}

/** Uploads of this window. They outlive the screen, so that opening another job loses no picture. */
export const useUploads = create<{ readonly uploads: readonly Upload[] }>(() => ({ uploads: [] }));
const currentUploads = () => useUploads.getState().uploads;
const set = (uploads: readonly Upload[]) => useUploads.setState({ uploads });
const patch = (id: number, change: Partial<Upload>) =>
  set(currentUploads().map((one) => (one.id === id ? { ...one, ...change } : one)));

// Closing the page would cancel pending uploads.
useUploads.subscribe(({ uploads }) => {
  const isBusy = uploads.some(({ error }) => error === null);
  globalThis.onbeforeunload = isBusy ? (event) => event.preventDefault() : null;
});

/** Cancels a pending upload, or dismisses a failed one. */
export const discardUpload = ({ id, stop }: Pick<Upload, "id" | "stop">): void => {
  stop.abort();
  set(currentUploads().filter((one) => one.id !== id));
};

/** The service's size limit in bytes (D6). */
const MAX_BYTES = 20 * 1024 * 1024;

/** Uploads a file. Returns its URL; null on failure. */
const send = async (
  { id, file, stop: { signal } }: Upload,
  { prepare, put }: UploadMethods,
): Promise<string | null> => {
  try {
    signal.throwIfAborted();
    if (file.size > MAX_BYTES) throw new Error("The image is larger than 20 MiB, so the service refuses it with 413.");
    const { upload_url, public_url } = await prepare(file, signal);
    await put(upload_url, file, { signal, onSent: (sentBytes) => patch(id, { sentBytes }) });
    if (public_url === null) throw new Error("The service accepted the picture but returned no URL for it.");
    return public_url;
  } catch (thrown) {
    // A cancelled upload is no longer listed.
    patch(id, { error: thrown instanceof Error ? thrown : new Error(String(thrown)) });
    return null;
  }
};

let last = 0;

/** Uploads files one after the other, then reports the successful ones together. */
export const sendPictures = async (owner: string, files: readonly File[], ways: UploadMethods): Promise<void> => {
  const batch = files.map((file): Upload => {
    last += 1;
    return { id: last, owner, file, sentBytes: 0, error: null, stop: new AbortController() };
  });
  set([...currentUploads(), ...batch]);
  const arrived: string[] = [];
  for (const upload of batch) {
    const address = await send(upload, ways);
    if (address === null) continue;
    discardUpload(upload);
    arrived.push(address);
  }
  if (arrived.length > 0) ways.onArrived(arrived);
};
