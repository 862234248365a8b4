import { useEffect, useRef, useState } from "react";
import { notify } from "../../app/notices.tsx";

/** How far work on all worlds is: the one under way, and how many of them there are. */
export interface Progress {
  readonly world: string;
  readonly number: number;
  readonly of: number;
}

/** Long work that says how far it is and ends when it is cancelled, or when the page goes. */
export const useRun = (what: string) => {
  const [progress, setProgress] = useState<Progress | null>(null);
  const abort = useRef<AbortController | null>(null);
  const isCancelled = () => abort.current?.signal.aborted ?? true;
  useEffect(() => () => abort.current?.abort(), []);
  const start = async (work: (signal: AbortSignal, tell: (progress: Progress) => void) => Promise<void>) => {
    const controller = new AbortController();
    abort.current = controller;
    try {
      await work(controller.signal, setProgress);
    } catch (error) {
      if (!isCancelled()) notify.failed(what, error);
    } finally {
      setProgress(null);
    }
  };
  return { progress, start, cancel: () => abort.current?.abort() };
};
