import { useEffect, useRef, useState } from "react";

/** A wish to stand in a tab, made by opening it by hand; a link to it, going back or a reload makes none. */
export interface Entry {
  /** Another number with every wish. */
  readonly asked: number;
  /** The number of the last wish that was met. */
  readonly met: { current: number };
}

/** A wish to stand in a tab, and what makes one. */
export const useEntry = (): Entry & { readonly ask: () => void } => {
  const [asked, setAsked] = useState(0);
  const met = useRef(0);
  return { asked, met, ask: () => setAsked((times) => times + 1) };
};

/** Meets the wish once, as soon as what can take the focus is drawn: `enter` says whether it took it. */
export const useEntered = ({ asked, met }: Entry, enter: () => boolean): void => {
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is there to take the focus is asked when there is a wish
  useEffect(() => {
    if (met.current !== asked && enter()) met.current = asked;
  }, [asked]);
};
