import { type Refusal, refuse } from "../contract/errors.ts";

const notKept = (what: string, id: string): Refusal =>
  refuse("not_found", `/id ${id} names ${what} in this world. A reset or retention may have deleted it`);

/** That there is no such call, as it was asked for. */
export const noCall = (id: string): Refusal => notKept("no recorded call", id);
export const noDelivery = (id: string): Refusal => notKept("no delivery", id);
/** That it is neither a call nor anything that followed from one. */
export const noLink = (id: string): Refusal => notKept("nothing recorded", id);
