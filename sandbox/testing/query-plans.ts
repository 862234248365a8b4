import { expect, vi } from "vitest";
import type { Database } from "../storage/database.ts";

/**
 * Records all statements from now on.
 * @returns a function that stops this and returns SQLite's query plans, one line per step
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
