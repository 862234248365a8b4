import { findCause } from "../contract/causes.ts";
import type { RefusalReason } from "../contract/errors.ts";
import { valueAt } from "../contract/json-pointer.ts";
import type { World } from "../worlds/world.ts";
import { MAX_WORLDS_SEARCHED, type Worlds } from "../worlds/worlds.ts";
import type { ControlContext } from "./handler.ts";

interface Kind {
  readonly word: string;
  readonly at: string;
  readonly isIn: (world: World, id: string) => boolean;
  readonly source: string;
}
const kinds: Readonly<Record<string, Kind>> = {
  job_unknown: {
    ...{ word: "a job", at: "/id", isIn: ({ stores }, id) => stores.jobs.get(id) !== undefined },
    source: "Take the ID from the response of `repairer.jobs.insert`, or look the job up by `external`.",
  },
  procurement_unknown: {
    ...{ word: "an order", at: "", isIn: ({ stores }, id) => stores.procurements.get(id) !== undefined },
    source: "Take the ID from `repairer.procurements.list`, or from a notification of the order.",
  },
};

/**
 * Tells that no world has a record with an unknown ID, as far as they are searched. Null for other reasons, and for
 * readers who may not see every world.
 */
export const tellUnknownEverywhere = async (
  worlds: Worlds,
  why: RefusalReason | null,
  body: unknown,
  maySee: ControlContext["maySee"],
): Promise<Required<Pick<RefusalReason, "fact" | "remedy">> | null> => {
  const kind = kinds[why?.cause ?? ""];
  if (!why || !kind || why.fact !== undefined || why.elsewhere || why.next) return null;
  const id = valueAt(body, `${why.pointers[0] ?? ""}${kind.at}`);
  const all = await worlds.listAll();
  if (typeof id !== "string" || !all.every(({ name }) => maySee(name))) return null;
  if (worlds.findOtherWorld("", (world) => kind.isIn(world, id.toLowerCase())) !== undefined) return null;
  const open = worlds.openNames().length;
  const searched =
    open > MAX_WORLDS_SEARCHED
      ? `None of the ${MAX_WORLDS_SEARCHED} worlds used last`
      : `No ${open < all.length ? "open " : ""}world of this service`;
  return {
    fact: `${findCause(why.cause)?.sentence ?? ""} ${searched} has ${kind.word} with this ID.`,
    remedy: `${kind.source} IDs of the real platform aren’t known here.`,
  };
};
