import { type Cause, causes } from "../contract/causes.ts";
import type { RefusalReason } from "../contract/errors.ts";
import { formatDuration } from "../rules/timestamp.ts";
import type { WorldKeys } from "../storage/access-store.ts";
import { timeInId } from "../storage/new-id.ts";
import { realTime } from "../storage/real-time.ts";
import type { World } from "../worlds/world.ts";
import type { CredentialHeaders } from "./authenticate.ts";
import type { Caller } from "./handler.ts";
import { isPlaceholder } from "./likely-mistakes.ts";

/** Name of another open world that satisfies a condition; undefined if none does. */
export type FindOtherWorld = (is: (world: World) => boolean) => string | undefined;

/** Event that a world began after: a reset, or a deletion, of which its checkpoint remains. Null if neither is known. */
export type FindOrigin = () => "reset" | { readonly deletedAt: number } | null;

/** Reset, deletion or restore of a world. */
export interface Loss {
  readonly world: string;
  readonly how: "reset" | "deleted" | "restored";
  /** Real time, milliseconds since 1970. */
  readonly at: number;
}

/** A refused call with the data needed to find its cause. */
export interface RefusedCall {
  readonly world: World;
  /** World that the call names. If it doesn't exist, {@link world} is the seed. */
  readonly named: string;
  readonly credentials: CredentialHeaders;
  readonly operation?: string | null;
  /** Parsed body; undefined if it wasn't parsed. */
  readonly input: unknown;
  /** Header `User-Agent`; absent if it wasn't sent. */
  readonly userAgent?: string | undefined;
  /** Bytes of the body; absent if there is none. */
  readonly body?: Uint8Array | null | undefined;
  readonly caller: Caller | null;
  /** Absent if there are no other worlds. */
  readonly findOtherWorld?: FindOtherWorld | undefined;
  /** True if an integration may be in another world, even a closed one or at another node. Absent if there are none. */
  readonly mayBeElsewhere?: ((integrationId: string) => boolean) | undefined;
  /** Other worlds that lost what they held since a time, by their checkpoints. Absent if they aren't known. */
  readonly findLosses?: ((since: number) => readonly Loss[]) | undefined;
  /** The service's keys if the call's world has its own in their place. Absent if there are no such worlds. */
  readonly findServiceKeys?: (() => WorldKeys | undefined) | undefined;
  /** Absent if it isn't known. */
  readonly findOrigin?: FindOrigin | undefined;
  /** Logs an error while finding the cause, which must not change the response. Absent: it is thrown. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

export const refine = (why: RefusalReason, cause: Cause, fact?: string | null): RefusalReason => ({
  ...why,
  cause,
  ...(fact ? { fact } : {}),
});

/** Adds what to do. */
export const advise = (why: RefusalReason, remedy: string | null): RefusalReason =>
  remedy === null ? why : { ...why, remedy };

/** Adds values that the call likely meant. */
export const means = (why: RefusalReason, fact: string, meant: NonNullable<RefusalReason["meant"]>): RefusalReason => ({
  ...why,
  fact,
  meant,
});

/** `Meridian Parts’`, `Acme’s`. */
export const possessive = (name: string): string => `${name}’${name.endsWith("s") ? "" : "s"}`;
export const findOrganizationName = ({ stores }: World, id: string): string =>
  stores.directory.organization(id)?.name ?? "another organization";

export const describeTenant = (named: string): string =>
  named === "default" ? "This call went to default, the world of calls that name none." : `This call names ${named}.`;

export const refineOtherWorld = (
  why: RefusalReason,
  what: string,
  named: string,
  name: string | undefined,
): RefusalReason =>
  name === undefined
    ? why
    : { ...why, elsewhere: { world: name, fact: `${what} is in world ${name}. ${describeTenant(named)}` } };

/** Maximum age of a world in use. */
const MAX_WORLD_AGE_MS = 90 * 86_400_000;

/** How and when a world got its content, or lost an earlier one. */
export interface Beginning {
  /** Verb in the past: "reset". */
  readonly how: "reset" | "restored" | "copied" | "deleted" | "created or reset";
  /** Real time, milliseconds since 1970. */
  readonly at: number;
  /** Its distance to now: "2 min 3 s". */
  readonly ago: string;
  /** The sandbox's side if somebody reset, restored or deleted the world. */
  readonly side: Pick<RefusalReason, "side">;
}

/** Period after which a program hardly still uses what a reset or a restore deleted. */
const LATELY_MS = 3_600_000;
export const isLately = ({ at }: Beginning): boolean => realTime() - at <= LATELY_MS;

const restoredAt = ({ stores }: World): number => stores.settings.get("log_restored") / 1_000;

/** Real time from which on a world issues its own IDs. Earlier ones came with a copied or restored file. */
const beganAt = (world: World): number =>
  Math.max(world.db.epoch, restoredAt(world), world.stores.settings.get("copied_at"));

/** Checks that a world itself issued an ID: it didn't come with a copy or a snapshot. */
export const hasIssued = (world: World, id: string): boolean => timeInId(id) >= beganAt(world);

export const findBeginning = (world: World, findOrigin?: FindOrigin): Beginning => {
  const began = beganAt(world);
  const isCopied = world.stores.settings.get("copied_at") === began;
  const own = restoredAt(world) === began ? "restored" : isCopied ? "copied" : null;
  const origin = own ?? findOrigin?.() ?? "created or reset";
  const [how, at] = typeof origin === "string" ? ([origin, began] as const) : (["deleted", origin.deletedAt] as const);
  const isLoss = how !== "created or reset" && how !== "copied";
  return { how, at, ago: formatDuration(realTime() - at), side: isLoss ? { side: "sandbox" } : {} };
};

/**
 * Finds the beginning of a world that an ID is older than; null for other IDs. The service's IDs are of version 4 and
 * begin with their time.
 */
export const findLaterBeginning = (world: World, id: string, findOrigin?: FindOrigin): Beginning | null => {
  if (id.charAt(14) !== "4") return null;
  const issued = timeInId(id);
  // Most IDs are of this world: its origin needs no look.
  if (issued >= beganAt(world)) return null;
  const beginning = findBeginning(world, findOrigin);
  const isOlder = issued < beginning.at && issued >= beginning.at - MAX_WORLD_AGE_MS;
  return isOlder ? beginning : null;
};

/**
 * Adds the world that lost what it held after an unknown ID was issued, if there is only one.
 *
 * @param todo what to do, with `{world}` for its name
 */
export const addLoss = (why: RefusalReason, id: string, { findLosses }: RefusedCall, todo: string): RefusalReason => {
  const issued = timeInId(id);
  const isKnown = why.fact !== undefined || why.elsewhere !== undefined;
  if (isKnown || id.charAt(14) !== "4" || issued < realTime() - MAX_WORLD_AGE_MS) return why;
  const losses = findLosses?.(issued) ?? [];
  const [loss] = losses;
  if (!loss || losses.some(({ world }) => world !== loss.world)) return why;
  const { world, how, at } = loss;
  const fact = `World ${world} was ${how} ${formatDuration(realTime() - at)} before this call, after this ID was issued.`;
  return { ...why, elsewhere: { world, fact, beside: true, remedy: todo.replaceAll("{world}", world) } };
};

/** Remedy for what a deletion of a world took. */
export const describeUndo = (world: string): string =>
  `undo the deletion: snapshots.list has the checkpoint of ${world}`;

/** Explains a value that is older than its world. @param what it is, with an article */
export const refineFromBefore = (
  why: RefusalReason,
  cause: Cause,
  what: string,
  world: World,
  later: Beginning,
): RefusalReason => ({
  ...refine(why, cause, `${what} is from before the world was ${later.how}, ${later.ago} before this call.`),
  ...later.side,
  ...(later.how === "deleted" ? { remedy: `${causes[cause].remedy} Or ${describeUndo(world.name)}.` } : {}),
});

/** Describes an empty or placeholder value; null for other values. */
export const describeEmptyValue = (name: string, value: string): string | null => {
  if (value.trim() === "") return `\`${name}\` is empty.`;
  return isPlaceholder(value) ? `\`${name}\` holds a placeholder: a variable was not filled in.` : null;
};
