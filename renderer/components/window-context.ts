import { createContext, useContext } from "react";
import { copyText } from "../lib/copy-text.ts";

/** Row density of lists; the tokens of `data-density` must match. */
export type Density = "comfortable" | "compact";

interface WindowSettings {
  readonly density: Density;
  /** True if keys that type a character act (WCAG 2.1.4). */
  readonly characterKeys: boolean;
  /** Copies text; resolves to false if the browser refuses. `what` completes "Copied …". */
  readonly copyText: (text: string, what: string) => Promise<boolean>;
}

/** Settings of the window that components use. A page without a provider gets the defaults. */
export const WindowContext = createContext<WindowSettings>({ density: "comfortable", characterKeys: true, copyText });

export const useWindow = (): WindowSettings => useContext(WindowContext);

/** In pixels: rows of two lines, of a table over a whole place, and of one line. */
const heights = {
  comfortable: { two: 48, table: 32, one: 28 },
  compact: { two: 40, table: 26, one: 24 },
} as const;

/** Returns the row height in pixels, which virtualised lists need. */
export const useRowHeight = (kind: "two" | "table" | "one"): number => heights[useWindow().density][kind];
