// @vitest-environment jsdom
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { ListSource } from "../../components/list.tsx";
import { show } from "../../testing/shown.tsx";
import { emptyResultText, FilterChips, type ListFilter, type ListFilterState, listWords } from "./list-place.tsx";

afterEach(cleanup);

interface Filter {
  readonly search: string;
  readonly status: string | null;
  readonly site: string | null;
}
const everything: Filter = { search: "", status: null, site: null };
const filters: readonly ListFilter<Filter>[] = [
  {
    of: "status",
    title: "State",
    all: "states",
    options: [{ id: "cancelled", name: "cancelled" }],
    phrase: (name) => `is ${name}`,
    open: "State",
  },
  {
    of: "site",
    title: "Site",
    all: "sites",
    options: [{ id: "s", name: "Tarn & Rowe, Penrose" }],
    phrase: (name) => `is for ${name}`,
  },
];

describe("a search without results", () => {
  it("is described in one sentence", () => {
    const words = (change: Partial<Filter>) => emptyResultText("order", { ...everything, ...change }, filters);
    expect(words({ search: " TRX " })).toBe("No order matches “TRX”");
    expect(words({ status: "cancelled", site: "s" })).toBe("No order is cancelled and is for Tarn & Rowe, Penrose");
    expect(words({ search: "x", site: "?" })).toBe("No order matches “x” and is for that site");
    expect(words({})).toBe("No order");
  });
});

it("removes a filter by its chip", () => {
  const narrow = vi.fn();
  const filter = { ...everything, status: "cancelled", site: "s" };
  const state: ListFilterState<Filter> = {
    ...{ filter, debouncedFilter: filter, narrow, clear: () => undefined, isFiltered: true, query: "" },
  };
  show(<FilterChips state={state} filters={filters} />);
  fireEvent.click(screen.getByRole("button", { name: "Show all sites, not only Tarn & Rowe, Penrose" }));
  expect(narrow).toHaveBeenCalledWith({ site: null });
  expect(screen.getAllByRole("button")).toHaveLength(1);
});

it("says that a search found more than were counted", () => {
  const filter = { ...everything, search: "LRM" };
  const state: ListFilterState<Filter> = {
    ...{
      filter,
      debouncedFilter: filter,
      narrow: () => undefined,
      clear: () => undefined,
      isFiltered: true,
      query: "",
    },
  };
  const of = { items: [], counted: { total: 500, total_is_minimum: true } } as unknown as ListSource<never>;
  const { container } = show(listWords({ title: "Requests", nouns: ["call", "calls"], of, state, empty: null }).found);
  expect(container.querySelector("[role=status]")?.textContent).toBe("500+ calls found");
});
