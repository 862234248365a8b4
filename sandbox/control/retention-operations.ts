import { retentionGet, retentionSet } from "../contract/control/retention-operations.ts";
import { refuse } from "../contract/errors.ts";
import { type BoundControl, control } from "./handler.ts";

/** How much a world keeps of what happened in it. */
export const retentionControls: readonly BoundControl[] = [
  control(retentionGet, ({ world, info }) => {
    const { max_age_hours, max_megabytes } = world.stores.settings.get("retention");
    // A world from elsewhere may be set to more.
    return { max_age_hours, max_megabytes: Math.min(max_megabytes, info.quotas.retentionMebibytes) };
  }),
  control(retentionSet, ({ world, info }, { max_age_hours, max_megabytes }) => {
    const most = info.quotas.retentionMebibytes;
    if (max_megabytes !== undefined && max_megabytes > most)
      return refuse(
        "bad_request",
        `/max_megabytes must be at most ${most}, the limit of this service (--max-retention)`,
      );
    if (max_age_hours === undefined && max_megabytes === undefined)
      return refuse("bad_request", "/max_age_hours or /max_megabytes is required");
    return world.write((append) => {
      const { settings } = world.stores;
      const before = settings.get("retention");
      const after = {
        max_age_hours: max_age_hours ?? before.max_age_hours,
        max_megabytes: max_megabytes ?? before.max_megabytes,
      };
      settings.set("retention", after);
      append("world", null, { what: "retention", before, after });
      return after;
    });
  }),
];
