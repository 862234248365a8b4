import type { TSchema } from "typebox";
import type { Edit } from "../contract/control/explain-operations.ts";
import type { RefusalReason } from "../contract/errors.ts";
import { type Finding, findInvalid, findingSentence, findUnknown } from "../contract/explain.ts";
import { putValueAt, valueAt, withValueAt } from "../contract/json-pointer.ts";
import { parentPath, takeFindings } from "./renamed-fields.ts";

const MAX_EDITS = 20;

/** A body in correction. */
export class Draft {
  body: unknown;
  readonly edits: Edit[] = [];

  constructor(body: unknown) {
    this.body = structuredClone(body);
  }

  /** @param after undefined removes the field */
  put(pointer: string, after: unknown, reason: string): void {
    // Later edits may change the values inside.
    const before = structuredClone(valueAt(this.body, pointer));
    const put = structuredClone(after);
    const change = { ...(before === undefined ? {} : { before }), ...(put === undefined ? {} : { after: put }) };
    this.edits.push({ pointer, ...change, reason });
    this.body = putValueAt(this.body, pointer, after);
  }
}

/** Checks whether a move leaves a wrong choice of fields behind, such as a second key of an identity. */
const makesWrong = (schema: TSchema, body: unknown, meant: string, value: unknown): boolean => {
  const within = parentPath(meant);
  const isWrong = ({ path }: Finding): boolean => path === within;
  return within !== "" && takeFindings(findInvalid(schema, withValueAt(body, meant, value))).some(isWrong);
};

/**
 * Puts values where a call likely meant them, corrects misspelt names and wrong types, and adds allowed nulls. Errors
 * may remain.
 */
export const correctBody = (schema: TSchema, body: unknown, meant: RefusalReason["meant"] = []): Draft => {
  const draft = new Draft(body);
  for (const [at, after] of meant) draft.put(at, after, "the value belongs here");
  let edits = 0;
  // A renamed field may hold further ones under other names.
  for (let isChanged = true; isChanged && edits <= MAX_EDITS; ) {
    isChanged = false;
    for (const { path, meant, problem } of takeFindings(findUnknown(schema, draft.body))) {
      edits += 1;
      if (edits > MAX_EDITS) break;
      if (meant === undefined || valueAt(draft.body, meant) !== undefined) continue;
      const isMoved = parentPath(meant) !== parentPath(path);
      if (isMoved && makesWrong(schema, draft.body, meant, valueAt(draft.body, path))) continue;
      draft.put(meant, valueAt(draft.body, path), findingSentence({ path, problem }));
      draft.put(path, undefined, findingSentence({ path, problem }));
      isChanged = true;
    }
  }
  for (const { path, problem, ...found } of takeFindings(findInvalid(schema, draft.body))) {
    if (draft.edits.length >= MAX_EDITS) break;
    if ("should" in found) draft.put(path, found.should, findingSentence({ path, problem }));
  }
  return draft;
};
