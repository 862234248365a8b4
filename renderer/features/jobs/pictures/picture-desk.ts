import { createUploader, type Uploader, type UploaderWays } from "./uploader.ts";

/** What becomes of a job's pictures: their addresses before and after. */
export type PictureEdit = (images: readonly string[]) => readonly string[];

export interface DeskState {
  /** Whether a change of the job's pictures is being written. */
  readonly isWriting: boolean;
  /** The change that was not written, and why; null when there is none. */
  readonly refused: { readonly edit: PictureEdit; readonly error: Error } | null;
}

/** One job's pictures: those on their way to the service, and what is being written into the job. */
export interface PictureDesk {
  readonly uploader: Uploader;
  readonly state: () => DeskState;
  readonly subscribe: (listener: () => void) => () => void;
  readonly change: (edit: PictureEdit) => void;
  /** Writes what was refused once more. */
  readonly again: () => void;
  readonly giveUp: () => void;
}

interface DeskWays extends Omit<UploaderWays, "onArrived"> {
  /** Reads the job's pictures, and writes what the edit makes of them. */
  readonly write: (edit: PictureEdit) => Promise<void>;
}

/** Puts pictures behind those that are there; one that is there already stays where it is. */
export const adding =
  (urls: readonly string[]): PictureEdit =>
  (images) => [...images, ...urls.filter((url) => !images.includes(url))];

export const removing =
  (url: string): PictureEdit =>
  (images) =>
    images.filter((image) => image !== url);

export const puttingBack =
  (url: string, place: number): PictureEdit =>
  (images) =>
    images.includes(url) ? images : images.toSpliced(place, 0, url);

const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)));

/** Changes are written one behind the other: each reads what the one before has written. */
export const createDesk = ({ prepare, put, write }: DeskWays): PictureDesk => {
  let state: DeskState = { isWriting: false, refused: null };
  let last: Promise<void> = Promise.resolve();
  let queued = 0;
  const listeners = new Set<() => void>();
  const set = (change: Partial<DeskState>) => {
    state = { ...state, ...change };
    for (const listener of listeners) listener();
  };
  const writeNow = async (edit: PictureEdit) => {
    let refused: DeskState["refused"] = null;
    try {
      await write(edit);
    } catch (thrown) {
      refused = { edit, error: asError(thrown) };
    }
    queued -= 1;
    set({ isWriting: queued > 0, ...(refused ? { refused } : {}) });
  };
  const change = (edit: PictureEdit) => {
    queued += 1;
    set({ isWriting: true, refused: null });
    last = last.then(() => writeNow(edit));
  };
  return {
    uploader: createUploader({ prepare, put, onArrived: (urls) => change(adding(urls)) }),
    state: () => state,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    change,
    again: () => {
      if (state.refused) change(state.refused.edit);
    },
    giveUp: () => set({ refused: null }),
  };
};
