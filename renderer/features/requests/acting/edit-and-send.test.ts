import { describe, expect, it } from "vitest";
import type { RequestDetail } from "../../../../sandbox/contract/control/rows.ts";
import { draftChanges, isEdited, jsonError, NO_KEY, replayDraft } from "./edit-and-send.ts";

const detail = {
  method: "POST",
  path: "/api/2026-01/repairer.jobs.get",
  request_headers: [
    ["content-type", "application/json"],
    ["authorization", "Bearer isk_••••91bc"],
  ],
} as unknown as RequestDetail;
const kept = replayDraft(detail, "w", "{}");

describe("a call draft", () => {
  it("omits connection headers, which the service sets", () => {
    const own = ["content-type", "application/json"] as [string, string];
    const headers = [["Host", "127.0.0.1:4026"], own, ["connection", "keep-alive"], ["content-length", "2"]];
    expect(replayDraft({ ...detail, request_headers: headers } as RequestDetail, "w", "{}").headers).toBe(
      own.join(": "),
    );
  });
  it("has no changes without edits", () => expect(draftChanges(kept, kept)).toEqual({}));
  it("counts as edited only while something differs", () => {
    expect(isEdited({ ...kept }, kept)).toBe(false);
    expect(isEdited({ ...kept, body: "" }, kept)).toBe(true);
  });
  it("sends only what was edited", () => {
    expect(draftChanges({ ...kept, body: '{"a":1}', world: "other", as: NO_KEY }, kept)).toEqual({
      to: "other",
      integration_id: null,
      body: '{"a":1}',
    });
    expect(draftChanges({ ...kept, headers: "x-a: 1\n\nx-b:two words " }, kept)).toEqual({
      headers: [
        ["x-a", "1"],
        ["x-b", "two words"],
      ],
    });
  });
});

describe("an edited body", () => {
  it("reports its JSON error", () => {
    expect(jsonError('{"a":}')).toContain("JSON");
    expect(jsonError('{"a":1}')).toBeNull();
    expect(jsonError("")).toBeNull();
  });
});
