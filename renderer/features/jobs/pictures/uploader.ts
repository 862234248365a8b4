/** A picture on its way, or one that did not arrive. */
export interface Upload {
  readonly id: number;
  readonly file: File;
  /** `waiting` for its turn, `sending`, `sent` and waiting for the others of its batch, `failed`. */
  readonly state: "waiting" | "sending" | "sent" | "failed";
  /** Bytes that went out. */
  readonly sentBytes: number;
  /** Why it did not arrive; null while it may. */
  readonly error: Error | null;
}

export interface UploaderWays {
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

export interface Uploader {
  readonly list: () => readonly Upload[];
  readonly subscribe: (listener: () => void) => () => void;
  /** Sends files, several at once; what arrived of them is handed over together. */
  readonly add: (files: readonly File[]) => void;
  /** Sends one that did not arrive again, to another address. */
  readonly retry: (id: number) => void;
  /** Stops one that is on its way, or forgets one that did not arrive. */
  readonly cancel: (id: number) => void;
  readonly cancelAll: () => void;
}

/** So many are sent at a time; the browser has six connections to the service, and the explorer needs some. */
const AT_A_TIME = 3;

const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)));

/** Sends pictures through the upload route. It knows no page: what is drawn of it is `list`. */
export const createUploader = ({ prepare, put, onArrived }: UploaderWays): Uploader => {
  let uploads: readonly Upload[] = [];
  let next = 1;
  let running = 0;
  const turns: (() => void)[] = [];
  const controllers = new Map<number, AbortController>();
  const listeners = new Set<() => void>();

  const set = (changed: readonly Upload[]) => {
    uploads = changed;
    for (const listener of listeners) listener();
  };
  const patch = (id: number, change: Partial<Upload>) =>
    set(uploads.map((one) => (one.id === id ? { ...one, ...change } : one)));
  const forget = (ids: ReadonlySet<number>) => set(uploads.filter(({ id }) => !ids.has(id)));

  const turn = async () => {
    if (running >= AT_A_TIME) await new Promise<void>((resolve) => turns.push(resolve));
    running += 1;
  };
  const turnIsOver = () => {
    running -= 1;
    turns.shift()?.();
  };

  /** The address under which it arrived; null when it did not. */
  const send = async ({ id, file }: Upload): Promise<string | null> => {
    const controller = new AbortController();
    const { signal } = controller;
    controllers.set(id, controller);
    await turn();
    try {
      signal.throwIfAborted();
      patch(id, { state: "sending", sentBytes: 0 });
      const { upload_url, public_url } = await prepare(file, signal);
      await put(upload_url, file, { signal, onSent: (sentBytes) => patch(id, { sentBytes }) });
      if (public_url === null) throw new Error("The service took the picture but names no address to show it from.");
      patch(id, { state: "sent", sentBytes: file.size });
      return public_url;
    } catch (thrown) {
      if (!signal.aborted) patch(id, { state: "failed", error: asError(thrown) });
      return null;
    } finally {
      controllers.delete(id);
      turnIsOver();
    }
  };

  const sendBatch = async (batch: readonly Upload[]) => {
    const addresses = await Promise.all(batch.map(send));
    forget(new Set(batch.filter((_upload, index) => addresses[index] !== null).map(({ id }) => id)));
    const arrived = addresses.filter((address) => address !== null);
    if (arrived.length > 0) onArrived(arrived);
  };

  const cancel = (id: number) => {
    controllers.get(id)?.abort();
    forget(new Set([id]));
  };

  return {
    list: () => uploads,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    add: (files) => {
      const batch = files.map((file): Upload => {
        const id = next;
        next += 1;
        return { id, file, state: "waiting", sentBytes: 0, error: null };
      });
      set([...uploads, ...batch]);
      void sendBatch(batch);
    },
    retry: (id) => {
      const failed = uploads.find((one) => one.id === id && one.state === "failed");
      if (!failed) return;
      patch(id, { state: "waiting", sentBytes: 0, error: null });
      void sendBatch([failed]);
    },
    cancel,
    cancelAll: () => {
      for (const { id } of uploads) cancel(id);
    },
  };
};
