import { type ComponentType, createElement, useEffect, useState } from "react";

/** Part of the explorer's own code could not be fetched: the service is away, or serves another build by now. */
export class MissingCode extends Error {
  override readonly name = "MissingCode";
}

const failures = new Set<() => void>();

/** What could not be fetched is asked for anew when it is drawn next. */
export const forgetFailures = (): void => {
  for (const forget of failures) forget();
  failures.clear();
};

/** A style sheet that failed to load stays empty in the page, and the bundler's loader does not ask for it twice. */
const refetchStyles = async (): Promise<void> => {
  const empty = [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')].filter(({ sheet }) => !sheet);
  await Promise.all(
    empty.map((link) => {
      const again = link.cloneNode() as HTMLLinkElement;
      return new Promise<void>((resolve, reject) => {
        again.onload = () => resolve();
        again.onerror = () => reject(new Error(`${link.href} could not be loaded`));
        link.replaceWith(again);
      });
    }),
  );
};

const Nothing = () => null;

/**
 * A part of the explorer whose code is run when it is first drawn. `Meanwhile` is drawn until then, and `MissingCode`
 * thrown where the code cannot be had. Without Suspense, which keeps what it shows meanwhile for 300 ms, however soon
 * the code arrives.
 */
export const late = <P extends object>(
  fetchCode: () => Promise<ComponentType<P>>,
  Meanwhile: ComponentType<P> = Nothing,
) => {
  let arrived: ComponentType<P> | null = null;
  let coming: Promise<ComponentType<P>> | null = null;
  let hasFailed = false;
  const forget = () => {
    coming = null;
  };
  const begin = async (): Promise<ComponentType<P>> => {
    try {
      if (hasFailed) await refetchStyles();
      arrived = await fetchCode();
      return arrived;
    } catch (error) {
      hasFailed = true;
      failures.add(forget);
      throw new MissingCode(error instanceof Error ? error.message : String(error), { cause: error });
    }
  };
  const load = () => {
    coming ??= begin();
    return coming;
  };
  const Part = (props: P) => {
    const [{ error }, settle] = useState<{ readonly error?: unknown }>({});
    const Code = arrived;
    useEffect(() => {
      if (Code === null)
        load().then(
          () => settle({}),
          (reason: unknown) => settle({ error: reason }),
        );
    }, []);
    if (error) throw error;
    return createElement(Code ?? Meanwhile, props);
  };
  /** Fetches the code before it is needed. Resolves also when it cannot be had: it is asked for again when drawn. */
  const preload = () => load().then(() => undefined, forget);
  return { Part, preload };
};
