import { describe, expect, it } from "vitest";
import { withNewest } from "./live-list.ts";

const page = (text: string, next_cursor: string | null = null, as = "before") => ({
  items: [...text].map((id) => ({ id, as })),
  next_cursor,
  total: text.length,
  total_is_minimum: false,
});
const shown = (pages: string[], newest?: ReturnType<typeof page>, opened = "") => {
  const { items, waiting, gap } = withNewest(
    pages.map((text) => page(text)),
    newest,
    [...opened],
  );
  return `${items.map(({ id, as }) => (as === "now" ? id.toUpperCase() : id)).join("")} ${waiting}${gap ? "+" : ""}`;
};

describe("a list that is held", () => {
  it("keeps its rows where they are, as they are now, and lets wait what came in", () =>
    expect(shown(["dc", "ba"], page("afed", "more", "now"))).toBe("DcbA 2"));
  it("never lets a row wait that was opened, also once another is", () => {
    expect(shown(["dc", "ba"], page("afed", "more", "now"), "ef")).toBe("FEDcbA 0");
    expect(shown(["dc", "ba"], page("afed", "more", "now"), "e")).toBe("EDcbA 1");
    expect(shown(["dc", "ba"], page("afed", "more", "now"), "c")).toBe("DcbA 2");
  });
  it("says that more came in than is known, where none of the newest was shown", () => {
    expect(shown(["ba"], page("zy", "more", "now"))).toBe("ba 2+");
    expect(shown([""], page("zy", "more", "now"))).toBe("ZY 0");
  });
  it("lets go what is not there any more, where the newest page is all there is", () => {
    expect(shown(["dc", "ba"], page("edb", null, "now"))).toBe("DB 1");
    expect(shown(["ba"], page("", null, "now"))).toBe(" 0");
  });
  it("has a row once that moved from one page to the next", () => expect(shown(["cb", "ba"])).toBe("cba 0"));
});
