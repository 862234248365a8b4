import { type ComponentType, type LazyExoticComponent, lazy } from "react";

type Load<P> = () => Promise<ComponentType<P>>;

export interface LazyPart<P> {
  readonly Part: LazyExoticComponent<ComponentType<P>>;
  /** Fetches it before it is needed, so that it is there also when the service is away by then. */
  readonly preload: () => void;
}

const RETRY_MS = 500;

/** A part of the place that its first picture does without. */
export const lazyPart = <P>(load: Load<P>): LazyPart<P> => {
  const twice: Load<P> = () =>
    load().catch(async () => {
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      return load();
    });
  return {
    Part: lazy(async () => ({ default: await twice() })),
    preload: () => void load().catch(() => undefined),
  };
};
