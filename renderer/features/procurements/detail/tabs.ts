/** The views of a procurement, in their order; the first one's address is the procurement's own. */
export const detailTabs = [
  { value: "fields", label: "Fields" },
  { value: "json", label: "JSON" },
  { value: "history", label: "History" },
  { value: "invoice", label: "Invoice" },
] as const;

export type DetailTab = (typeof detailTabs)[number]["value"];

/** The view an address names; any other name is the first. */
export const tabIn = (name: string | undefined): DetailTab =>
  detailTabs.find(({ value }) => value === name)?.value ?? "fields";

/** How a view is written in an address. */
export const tabPath = (tab: DetailTab): string | undefined => (tab === "fields" ? undefined : tab);
