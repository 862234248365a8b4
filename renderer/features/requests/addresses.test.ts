import { describe, expect, it } from "vitest";
import { requestParams, requestsHref } from "../../domain/exchange/filter.ts";
import { compareHref, parseTab, toStatusFilter } from "./addresses.ts";
import { listParameters } from "./queries.ts";

const asked = (query: string) => listParameters(requestParams.parse(query));

describe("what an address of Requests asks for", () => {
  it("is everything where it says nothing", () => {
    expect(asked("")).toEqual({});
  });
  it("is each of its chips", () =>
    expect(asked("?search=J-20418&refused&operation=repairer.jobs.insert&status=4xx&who=supplier")).toEqual({
      search: "J-20418",
      refused: true,
      operation: "repairer.jobs.insert",
      status_class: 4,
      side: "supplier",
    }));
  it("is nothing that is no status, no sender and no moment", () =>
    expect(asked("?status=4x&who=me&from=yesterday&to=2026-13-99T")).toEqual({}));
  it("is one status, calls without a key, or those of one integration", () => {
    const id = "6b3a0000-0000-4000-8000-000000000000";
    expect(toStatusFilter("422")).toEqual({ status: 422 });
    expect(asked("?who=none")).toEqual({ anonymous: true });
    expect(asked(`?who=${id}`)).toEqual({ integration_id: id });
  });
  it("is who sent them, as other places link to it", () =>
    expect(asked(requestsHref({ by: "partner", code: "not_found" }).slice("/requests".length))).toEqual({
      origin: "partner",
      error_code: "not_found",
    }));
});

describe("the address of a call", () => {
  it("opens its body where it names no tab that is there", () => {
    expect(parseTab(undefined)).toBe("body");
    expect(parseTab("nonsense")).toBe("body");
    expect(parseTab("trace")).toBe("trace");
  });
  it("names the call it is compared with", () => {
    const other = "6b3a0000-0000-4000-8000-000000000000";
    expect(compareHref("a", other)).toBe(`/requests/a/compare?with=${other}`);
    expect(compareHref("a", null)).toBe("/requests/a/compare");
  });
});
