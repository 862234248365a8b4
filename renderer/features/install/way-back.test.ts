import { describe, expect, it } from "vitest";
import { wayBackIn } from "./way-back.ts";

const places = [
  { path: "/", title: "Overview" },
  { path: "/jobs", title: "Jobs" },
  { path: "/procurements", title: "Procurements" },
];
const back = (asked: { readonly back: string; readonly back_label?: string }) =>
  wayBackIn({ back_label: "", ...asked }, places);

describe("the way back from an install", () => {
  it("leads to a place of the explorer under the name that came along", () => {
    expect(back({ back: "/procurements/42?tab=trace", back_label: " TRC-20397-1 " })).toEqual({
      href: "/procurements/42?tab=trace",
      label: "TRC-20397-1",
    });
  });

  it("names what it leads to where no name came along", () => {
    expect(back({ back: "/procurements/42" })?.label).toBe("the procurement");
    expect(back({ back: "/jobs/42/basket", back_label: "  " })?.label).toBe("the job");
    expect(back({ back: "/jobs" })?.label).toBe("Jobs");
    expect(back({ back: "/" })?.label).toBe("Overview");
  });

  it("cuts a name that is too long for a button", () => {
    expect(back({ back: "/jobs", back_label: "x".repeat(500) })?.label).toHaveLength(48);
  });

  it.each([
    "",
    "jobs",
    "//evil.example/jobs",
    "/\\evil.example/jobs",
    "\\\\evil.example",
    "https://evil.example/jobs",
    "javascript:alert(1)",
    "/jobsworth",
    "/__oauth/authorize",
    "/jobs/../__oauth/authorize",
    "/jobs/%2e%2e/__oauth",
    " /jobs",
    "/jobs\n",
  ])("is none where %j is asked for", (address) => expect(back({ back: address })).toBeNull());
});
