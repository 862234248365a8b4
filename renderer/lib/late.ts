import { type ComponentType, createElement, useEffect, useReducer, useState } from "react";

/** Part of the explorer's own code could not be fetched: the service is away, or serves another build by now. */
export class MissingCode extends Error {
  override readonly name = "MissingCode";
}

const Nothing = () => null;

/**
 * A part of the explorer whose code is fetched when it is first drawn. `Meanwhile` is drawn until then, and `MissingCode`
 * thrown where the code cannot be had. Without Suspense, which keeps what it shows meanwhile for 300 ms, however soon
 * the code arrives.
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
  /** Fetches the code before it is needed. Resolves also when it cannot be had. */
  const preload = (): Promise<void> => load().catch(() => undefined);
  return { Part, preload };
};
