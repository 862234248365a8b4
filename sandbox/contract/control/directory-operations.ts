import type { Static } from "typebox";
import * as Type from "typebox";
import { controlOperation } from "../operation.ts";
import { Business } from "../resources/business.ts";
import { Items, Uuid } from "../schema.ts";
import { base, inWorld } from "./declaring.ts";

/** A business as the control plane lists it: the contract's, with the organization it belongs to. */
export const DirectoryBusiness = Type.Object({ ...Business.properties, organization_id: Uuid() });
export type DirectoryBusiness = Static<typeof DirectoryBusiness>;

export const directoryList = controlOperation({
  ...base,
  id: "directory.list",
  effect: "read",
  summary: "The businesses of every organization of a world: repairers, sites, suppliers, insurers.",
  request: inWorld({}),
  response: Items(DirectoryBusiness),
});

export const directoryOperations = [directoryList] as const;
