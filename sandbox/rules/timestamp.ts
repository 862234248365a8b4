/** A time as every answer writes it (contract, field notation): UTC, with milliseconds. @param at milliseconds since 1970 */
export const iso = (at: number): string => new Date(at).toISOString();

export const isoOrNull = (at: number | null): string | null => (at === null ? null : iso(at));
