import { expect, vi } from "vitest";
import type { Database } from "../storage/database.ts";

/**
 * Notes every statement that runs from now on.
 *
 * @returns ends that, and says how SQLite carries each of them out, a line for each step
 */
export const notePlans = (db: Database): (() => string[]) => {
  const statements = (["get", "all", "run"] as const).map((method) => vi.spyOn(db, method));
  return () => {
    const ran = statements.flatMap((spy) => spy.mock.calls);
    for (const spy of statements) spy.mockRestore();
    expect(ran.length).toBeGreaterThan(0);
    return ran.flatMap(([text, ...parameters]) =>
      db.handle
        .prepare(`EXPLAIN QUERY PLAN ${text}`)
        .all(...parameters)
        .map((step) => (step as { readonly detail: string }).detail),
    );
  };
};
