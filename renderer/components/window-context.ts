import { createContext, useContext } from "react";
import { copyText } from "../lib/copy-text.ts";

/** How close the rows of lists stand; the tokens of `data-density` say the same. */
export type Density = "comfortable" | "compact";

interface WindowContext {
  readonly density: Density;
  /** Whether keys that type a character act (WCAG 2.1.4). */
  readonly characterKeys: boolean;
  /** Puts text on the clipboard, and says whether it could; `what` completes "Copied …". */
  readonly copyText: (text: string, what: string) => Promise<boolean>;
}

/** What the window around components knows and they use; a page without one goes by what is usual. */
export const InWindow = createContext<WindowContext>({ density: "comfortable", characterKeys: true, copyText });

export const useWindow = (): WindowContext => useContext(InWindow);

/** In pixels: rows of two lines, of a table over a whole place, and of one line. */
const heights = {
  comfortable: { two: 48, table: 32, one: 28 },
  compact: { two: 40, table: 26, one: 24 },
} as const;

/** How high a row is: lists that draw only what is in sight have to know. */
export const useRowHeight = (kind: "two" | "table" | "one"): number => heights[useWindow().density][kind];
