import { describe, expect, it } from "vitest";
import { MOST_KEPT, type NewNotice, type NoticeEntry, withClosed, withNotice } from "./notices-store.ts";

const notice = (title: string, tone: NewNotice["tone"] = "ok"): NewNotice => ({
  at: 0,
  tone,
  title,
});
const told = (...notices: readonly NewNotice[]) => notices.reduce(withNotice, [] as readonly NoticeEntry[]);

describe("what was told", () => {
  it("stands newest first, unread, over the page", () => {
    const entries = told(notice("one"), notice("two"));
    expect(entries.map(({ title }) => title)).toEqual(["two", "one"]);
    expect(entries.every(({ open, read }) => open && !read)).toBe(true);
    expect(new Set(entries.map(({ id }) => id)).size).toBe(2);
  });
  it("is counted when the same is told again, and shown again", () => {
    const closed = withClosed(told(notice("one")), 1, true);
    const [entry, ...rest] = withNotice(closed, { ...notice("one"), at: 5 });
    expect(rest).toEqual([]);
    expect(entry).toMatchObject({ times: 2, at: 5, open: true, read: false });
  });
  it("is told twice when it is about another thing, as its link says", () => {
    const about = (href: string): NewNotice => ({ ...notice("1 order placed"), link: { href, label: "Open" } });
    expect(told(about("/procurements/1"), about("/procurements/2"))).toHaveLength(2);
    expect(told(about("/procurements/1"), about("/procurements/1"))).toMatchObject([{ times: 2 }]);
  });
  it("is told twice when something else came between", () =>
    expect(told(notice("one"), notice("two"), notice("one"))).toHaveLength(3));
  it("can be undone as long as nothing else was done to the world", () => {
    const done = (title: string, world: string): NewNotice => ({
      ...notice(title),
      undo: { world, checkpoint: title },
    });
    const entries = told(done("reset", "a"), done("other", "b"), notice("order placed"), done("restored", "a"));
    expect(entries.filter(({ undo }) => undo).map(({ title }) => title)).toEqual(["restored", "other"]);
  });
  it("stays in the list when it is closed", () => {
    const [entry] = withClosed(told(notice("one")), 1, false);
    expect(entry).toMatchObject({ open: false, read: false });
  });
  it("is bounded, and forgets a failure that nobody closed last of all", () => {
    const failure = notice("failed", "bad");
    const entries = told(failure, ...Array.from({ length: MOST_KEPT + 20 }, (_, index) => notice(String(index))));
    expect(entries).toHaveLength(MOST_KEPT);
    expect(entries.at(-1)?.title).toBe("failed");
    const failures = told(...Array.from({ length: MOST_KEPT + 5 }, (_, index) => notice(String(index), "bad")));
    expect(failures).toHaveLength(MOST_KEPT);
    expect(failures[0]?.title).toBe(String(MOST_KEPT + 4));
  });
});
