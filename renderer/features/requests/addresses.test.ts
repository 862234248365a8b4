import { describe, expect, it } from "vitest";
import { requestParams, requestsHref } from "../../domain/exchange/filter.ts";
import { compareHref, parseTab, toStatusFilter } from "./addresses.ts";
import { listParameters } from "./queries.ts";

const asked = (query: string) => listParameters(requestParams.parse(query));

describe("the filter of an address in Requests", () => {
  it("is empty by default", () => {
    expect(asked("")).toEqual({});
  });
  it("contains each chip", () =>
    expect(asked("?search=J-20418&refused&operation=repairer.jobs.insert&status=4xx&who=supplier")).toEqual({
      search: "J-20418",
      refused: true,
      operation: "repairer.jobs.insert",
      status_class: 4,
      side: "supplier",
    }));
  it("ignores invalid statuses, senders and times", () =>
    expect(asked("?status=4x&who=me&from=yesterday&to=2026-13-99T")).toEqual({}));
  it("accepts a status, calls without a key, or one integration", () => {
    const id = "6b3a0000-0000-4000-8000-000000000000";
    expect(toStatusFilter("422")).toEqual({ status: 422 });
    expect(asked("?who=none")).toEqual({ anonymous: true });
    expect(asked(`?who=${id}`)).toEqual({ integration_id: id });
  });
  it("accepts links of other places", () =>
    expect(asked(requestsHref({ by: "partner", code: "not_found" }).slice("/requests".length))).toEqual({
      origin: "partner",
      error_code: "not_found",
    }));
});

describe("the address of a call", () => {
  it("falls back to the body tab", () => {
    expect(parseTab(undefined)).toBe("body");
    expect(parseTab("nonsense")).toBe("body");
    expect(parseTab("trace")).toBe("trace");
  });
  it("contains the call to compare with", () => {
    const other = "6b3a0000-0000-4000-8000-000000000000";
    expect(compareHref("a", other)).toBe(`/requests/a/compare?with=${other}`);
    expect(compareHref("a", null)).toBe("/requests/a/compare");
  });
});
