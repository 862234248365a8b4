import { type ComponentType, createElement, useEffect, useReducer, useState } from "react";

/** Code of the explorer couldn't be fetched: the service is down, or serves another build. */
export class MissingCode extends Error {
  override readonly name = "MissingCode";
}

const Nothing = () => null;

/**
 * A component whose code is fetched at its first render. Draws `Meanwhile` until then; throws `MissingCode` if the
 * fetch fails. Doesn't use Suspense, which shows its fallback for at least 300 ms.
 */
export const late = <P extends object>(
  fetchCode: () => Promise<ComponentType<P>>,
  Meanwhile: ComponentType<P> = Nothing,
) => {
  let code: ComponentType<P> | null = null;
  const load = async (): Promise<void> => {
    try {
      code ??= await fetchCode();
    } catch (error) {
      throw new MissingCode(error instanceof Error ? error.message : String(error), { cause: error });
    }
  };
  const Part = (props: P) => {
    const [, drawAgain] = useReducer((times: number) => times + 1, 0);
    const [error, fail] = useState<unknown>(null);
    useEffect(() => {
      if (code === null) load().then(drawAgain, fail);
    }, []);
    if (error !== null) throw error;
    return createElement(code ?? Meanwhile, props);
  };
  /** Fetches the code early. Resolves even if the fetch fails. */
  const preload = (): Promise<void> => load().catch(() => undefined);
  return { Part, preload };
};

/** Returns whether a late dialog is needed: from its first opening on, because a closing dialog is still visible. */
export const useNeeded = (opened: boolean): boolean => {
  const [isNeeded, setNeeded] = useState(opened);
  if (opened && !isNeeded) setNeeded(true);
  return isNeeded;
};
