import { create } from "zustand";

/** A picture on its way, or one that did not arrive. */
export interface Upload {
  readonly id: number;
  /** What it is sent for: the form or the job it was added to. */
  readonly owner: string;
  readonly file: File;
  /** Where the file can be shown from, before it has an address. */
  readonly preview: string;
  /** `waiting` for its turn, `sending`, `sent` and waiting for the others of its batch, `failed`. */
  readonly state: "waiting" | "sending" | "sent" | "failed";
  /** Bytes that went out. */
  readonly sentBytes: number;
  /** Why it did not arrive; null while it may. */
  readonly error: Error | null;
  readonly stop: AbortController;
}

export interface UploadWays {
  /** Asks for an address to send a file to; each takes one upload, so that every attempt has its own. */
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
  const isBusy = uploads.some(({ state }) => state !== "failed");
  globalThis.onbeforeunload = isBusy ? (event) => event.preventDefault() : null;
});

/** Stops those that are on their way, and forgets those that did not arrive. */
export const forget = (gone: readonly Pick<Upload, "id" | "stop" | "preview">[]): void => {
  for (const { stop, preview } of gone) {
    stop.abort();
    URL.revokeObjectURL(preview);
  }
  set(listed().filter(({ id }) => gone.every((one) => one.id !== id)));
};

/** The address under which it arrived; null when it did not. */
const send = async ({ id, file, stop: { signal } }: Upload, { prepare, put }: UploadWays): Promise<string | null> => {
  try {
    signal.throwIfAborted();
    patch(id, { state: "sending", sentBytes: 0 });
    const { upload_url, public_url } = await prepare(file, signal);
    await put(upload_url, file, { signal, onSent: (sentBytes) => patch(id, { sentBytes }) });
    if (public_url === null) throw new Error("The service accepted the picture but returned no URL for it.");
    patch(id, { state: "sent", sentBytes: file.size });
    return public_url;
  } catch (thrown) {
    // One that was stopped is not listed any more.
    patch(id, { state: "failed", error: thrown instanceof Error ? thrown : new Error(String(thrown)) });
    return null;
  }
};

/** So many are sent at a time; the browser has six connections to the service, and the explorer needs some. */
const AT_A_TIME = 3;
const waiting: (() => Promise<void>)[] = [];
let sending = 0;

const sendNext = async (): Promise<void> => {
  const next = sending < AT_A_TIME ? waiting.shift() : undefined;
  if (!next) return;
  sending += 1;
  await next();
  sending -= 1;
  void sendNext();
};

const sendInTurn = (upload: Upload, ways: UploadWays) =>
  new Promise<string | null>((resolve) => {
    waiting.push(() => send(upload, ways).then(resolve));
    void sendNext();
  });

const sendBatch = async (batch: readonly Upload[], ways: UploadWays): Promise<void> => {
  const addresses = await Promise.all(batch.map((upload) => sendInTurn(upload, ways)));
  forget(batch.filter((_, index) => addresses[index] !== null));
  const arrived = addresses.filter((address) => address !== null);
  if (arrived.length > 0) ways.onArrived(arrived);
};

let last = 0;

/** Sends files, several at once; what arrived of them is handed over together. */
export const sendPictures = (owner: string, files: readonly File[], ways: UploadWays): void => {
  const batch = files.map((file): Upload => {
    last += 1;
    const preview = URL.createObjectURL(file);
    return { id: last, owner, file, preview, state: "waiting", sentBytes: 0, error: null, stop: new AbortController() };
  });
  set([...listed(), ...batch]);
  void sendBatch(batch, ways);
};

/** Sends one that did not arrive again, to another address. */
export const sendAgain = (failed: Upload, ways: UploadWays): void => {
  patch(failed.id, { state: "waiting", sentBytes: 0, error: null });
  void sendBatch([failed], ways);
};
