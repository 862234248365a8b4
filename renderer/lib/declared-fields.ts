import type { ReactNode } from "react";

/** A field of a record, declared once for its page, its tables and its exports. */
export interface DeclaredField<Of extends readonly unknown[]> {
  /** Label. */
  readonly words: string;
  /** Text for exports; null when absent. */
  readonly text: (...of: Of) => string | null;
  /** Shown on the screen; default: the text. False where the screen shows it elsewhere. */
  readonly shown?: false | ((...of: Of) => ReactNode);
}

type Facts<V> = readonly (readonly [words: string, value: V])[];

/** Returns the present fields of a record: all as text, and those that its page doesn't show elsewhere. */
export const factsOf = <Of extends readonly unknown[]>(fields: readonly DeclaredField<Of>[]) => ({
  texts: (...of: Of): Facts<string> =>
    fields.flatMap(({ words, text }) => {
      const value = text(...of);
      return value === null ? [] : [[words, value] as const];
    }),
  shown: (...of: Of): Facts<ReactNode> =>
    fields.flatMap(({ words, text, shown = text }) =>
      shown === false || text(...of) === null ? [] : [[words, shown(...of)] as const],
    ),
});
