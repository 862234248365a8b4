import { describe, expect, it } from "vitest";
import { entryIn } from "./build-check.ts";

describe("the script a page starts with", () => {
  it("is read out of the page as it was built", () =>
    expect(
      entryIn('<head><script type="module" crossorigin src="/assets/index-lbVe0lNv.js"></script><link rel="x"></head>'),
    ).toBe("/assets/index-lbVe0lNv.js"));
  it("is none where there is no such script", () => expect(entryIn("<p>Not found</p>")).toBeNull());
});
