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

describe("a held list", () => {
  it("keeps its rows in place with new values, and holds back new ones", () =>
    expect(shown(["dc", "ba"], page("afed", "more", "now"))).toBe("DcbA 2"));
  it("shows an opened new row, even after another is opened", () => {
    expect(shown(["dc", "ba"], page("afed", "more", "now"), "ef")).toBe("FEDcbA 0");
    expect(shown(["dc", "ba"], page("afed", "more", "now"), "e")).toBe("EDcbA 1");
    expect(shown(["dc", "ba"], page("afed", "more", "now"), "c")).toBe("DcbA 2");
  });
  it("gives a minimum of new rows if none of the newest was shown", () => {
    expect(shown(["ba"], page("zy", "more", "now"))).toBe("ba 2+");
    expect(shown([""], page("zy", "more", "now"))).toBe("ZY 0");
  });
  it("removes missing rows if the newest page is the only one", () => {
    expect(shown(["dc", "ba"], page("edb", null, "now"))).toBe("DB 1");
    expect(shown(["ba"], page("", null, "now"))).toBe(" 0");
  });
  it("shows a row once that moved between pages", () => expect(shown(["cb", "ba"])).toBe("cba 0"));
});
