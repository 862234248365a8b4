import { directoryList } from "../contract/control/operations.ts";
import { type BoundControl, control } from "./handler.ts";

/** Who is who in a world; partners see their own organization alone (`businesses.list`). */
export const directoryControls: readonly BoundControl[] = [
  control(directoryList, ({ world: { stores } }) => ({
    items: stores.directory.organizations().flatMap(({ id }) => stores.directory.businessesOf(id)),
  })),
];
