import { describe, expect, it } from "vitest";
import { withNewest } from "./live-list.ts";

const page = (text: string, next_cursor: string | null = null, as = "before") => ({
  items: [...text].map((id) => ({ id, as })),
  next_cursor,
  total: text.length,
  total_is_minimum: false,
});
const shown = (pages: string[], newest?: ReturnType<typeof page>) => {
  const { items, gap } = withNewest(
    pages.map((text) => page(text)),
    newest,
  );
  return `${items.map(({ id, as }) => (as === "now" ? id.toUpperCase() : id)).join("")}${gap ? " gap" : ""}`;
};

describe("a list that is held", () => {
  it("keeps its rows where they are, as they are now, behind what came in", () => {
    expect(shown(["dc", "ba"], page("afed", "more", "now"))).toBe("FEDcbA");
  });
  it("says that more came in than is known, where none of the newest was shown", () => {
    expect(shown(["ba"], page("zy", "more", "now"))).toBe("ZYba gap");
    expect(shown([""], page("zy", "more", "now"))).toBe("ZY");
  });
  it("lets go what is not there any more, where the newest page is all there is", () => {
    expect(shown(["dc", "ba"], page("edb", null, "now"))).toBe("EDB");
    expect(shown(["ba"], page("", null, "now"))).toBe("");
  });
  it("has a row once that moved from one page to the next", () => expect(shown(["cb", "ba"])).toBe("cba"));
});
