import { create } from "zustand";

/** A picture on its way, or one that did not arrive. */
export interface Upload {
  readonly id: number;
  /** The job it is sent for, in its world. */
  readonly owner: string;
  readonly file: File;
  /** Bytes that went out. */
  readonly sentBytes: number;
  /** Why it did not arrive; null while it may. */
  readonly error: Error | null;
  readonly stop: AbortController;
}

export interface UploadWays {
  /** Asks for an address to send a file to; each takes one upload. */
  readonly prepare: (file: File, signal: AbortSignal) => Promise<{ upload_url: string; public_url: string | null }>;
  readonly put: (
    address: string,
    file: File,
    options: { readonly signal: AbortSignal; readonly onSent: (bytes: number) => void },
  ) => Promise<void>;
  /** What arrived of a batch, in the order it was added; never called with none. */
  readonly onArrived: (publicUrls: readonly string[]) => void;
}

/** All of this window: they outlive the screen, so that whoever goes on to another job meanwhile loses no picture. */
export const useUploads = create<{ readonly uploads: readonly Upload[] }>(() => ({ uploads: [] }));
const listed = () => useUploads.getState().uploads;
const set = (uploads: readonly Upload[]) => useUploads.setState({ uploads });
const patch = (id: number, change: Partial<Upload>) =>
  set(listed().map((one) => (one.id === id ? { ...one, ...change } : one)));

// A page that is closed takes the pictures on their way with it.
useUploads.subscribe(({ uploads }) => {
  const isBusy = uploads.some(({ error }) => error === null);
  globalThis.onbeforeunload = isBusy ? (event) => event.preventDefault() : null;
});

/** Stops one that is on its way, or dismisses one that did not arrive. */
export const forget = ({ id, stop }: Pick<Upload, "id" | "stop">): void => {
  stop.abort();
  set(listed().filter((one) => one.id !== id));
};

/** The most the service takes (D6). */
const MOST_BYTES = 20 * 1024 * 1024;

/** The address under which it arrived; null when it did not. */
const send = async ({ id, file, stop: { signal } }: Upload, { prepare, put }: UploadWays): Promise<string | null> => {
  try {
    signal.throwIfAborted();
    if (file.size > MOST_BYTES) throw new Error("The image is larger than 20 MiB, so the service refuses it with 413.");
    const { upload_url, public_url } = await prepare(file, signal);
    await put(upload_url, file, { signal, onSent: (sentBytes) => patch(id, { sentBytes }) });
    if (public_url === null) throw new Error("The service accepted the picture but returned no URL for it.");
    return public_url;
  } catch (thrown) {
    // One that was stopped is not listed any more.
    patch(id, { error: thrown instanceof Error ? thrown : new Error(String(thrown)) });
    return null;
  }
};

let last = 0;

/** Sends files one behind the other; what arrived of them is handed over together. */
export const sendPictures = async (owner: string, files: readonly File[], ways: UploadWays): Promise<void> => {
  const batch = files.map((file): Upload => {
    last += 1;
    return { id: last, owner, file, sentBytes: 0, error: null, stop: new AbortController() };
  });
  set([...listed(), ...batch]);
  const arrived: string[] = [];
  for (const upload of batch) {
    const address = await send(upload, ways);
    if (address === null) continue;
    forget(upload);
    arrived.push(address);
  }
  if (arrived.length > 0) ways.onArrived(arrived);
};
