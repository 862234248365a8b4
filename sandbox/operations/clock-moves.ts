import type { World } from "../worlds/world.ts";

/** Total movement of the world's clock since a moment, in milliseconds. */
const sumClockMoves = (world: World, issuedAt: number): number => {
  type Moved = { readonly at: number; readonly data: string };
  const changes = world.db.all<Moved>(
    "SELECT at, data FROM (SELECT at, kind, data FROM log ORDER BY seq DESC LIMIT 2000) WHERE kind = 'world' AND data LIKE '{\"what\":\"clock\"%'",
  );
  let offset = world.clockOffset;
  for (const { at, data } of changes) {
    if (issuedAt - offset >= world.db.fromStored(at)) break;
    const { before } = JSON.parse(data) as { readonly before?: { readonly offset_seconds?: number } };
    offset = (before?.offset_seconds ?? 0) * 1_000;
  }
  return world.clockOffset - offset;
};

/** Movement of the clock without which a time limit would not have passed, in milliseconds; null if there is none. */
export const findDecisiveMove = (world: World, issuedAt: number, expiresAt: number): number | null => {
  if (world.now() <= expiresAt) return null;
  const moved = sumClockMoves(world, issuedAt);
  return moved > 0 && world.now() - moved <= expiresAt ? moved : null;
};
