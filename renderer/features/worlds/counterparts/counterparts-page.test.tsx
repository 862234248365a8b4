// @vitest-environment jsdom
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { takeToken } from "../../../lib/session.ts";
import { show } from "../../../testing/shown.tsx";
import { CounterpartsPage } from "./counterparts-page.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const organization = (name: string, scope: string) => ({ id: name, name, scope });
const rule = { id: "r", organization_id: "Supplier 1", organization_name: "Supplier 1", does: "never", done: 0 };
const ruleOff = { at: "2026-03-12T10:00:00.000Z", sentence: "All are off.", trace_id: null, with_all: true };

const showWith = (
  suppliers: number,
  off: object | null = null,
  changed: object = {},
  jobs: readonly object[] = [],
  due: readonly object[] = [],
) => {
  takeToken("token");
  const set = vi.fn();
  const rules = [{ ...rule, off, finished: false, sentence: "Supplier 1 never answers its orders.", ...changed }];
  const answers: Readonly<Record<string, unknown>> = {
    "organizations.list": {
      items: [
        organization("Insurer", ""),
        organization("Buyer", "repairer"),
        ...Array.from({ length: suppliers }, (_, index) => organization(`Supplier ${index + 1}`, "supplier")),
      ].map((one) => ({ ...one, scope: one.scope || null })),
    },
    "credentials.list": { items: [{ organization_id: "Supplier 3", preloaded: false }] },
    "counterparts.list": { items: rules },
    "counterparts.due": { rules, items: due, total: due.length, ended: [] },
    "jobs.list": { items: jobs },
  };
  vi.stubGlobal("fetch", async (url: string, init: { readonly body: string }) => {
    const operation = url.split("/").at(-1) ?? "";
    if (operation === "counterparts.set") set(JSON.parse(init.body));
    return Response.json(answers[operation] ?? { items: [] });
  });
  show(<CounterpartsPage name="default" />);
  return set;
};
const names = () =>
  screen.getAllByRole("combobox").map((choice) => choice.getAttribute("aria-label") ?? labelOf(choice));
const labelOf = (choice: HTMLElement) => document.querySelector(`label[for="${choice.id}"]`)?.textContent;

it("filters more than eight organizations by name, with those of your programs first and always", async () => {
  showWith(8);
  const filter = await screen.findByRole("searchbox", { name: "Filter counterparts" });
  await screen.findByText("yours");
  expect(names().slice(0, 3)).toEqual(["Supplier 3, yours", "Supplier 1", "Supplier 2"]);
  fireEvent.change(filter, { target: { value: "supplier 8" } });
  expect(names()).toEqual(["Supplier 3, yours", "Supplier 8"]);
});

it("has no filter for eight organizations", async () => {
  showWith(7);
  expect((await screen.findAllByRole("combobox")).length).toBe(8);
  expect(screen.queryByRole("searchbox")).toBeNull();
});

it("turns all off and on, with their rules", async () => {
  const set = showWith(1);
  const rules = [{ organization_id: "Supplier 1", does: "never" }];
  fireEvent.click(await screen.findByRole("switch", { name: "On in this world", checked: true }));
  await vi.waitFor(() => expect(set).toHaveBeenLastCalledWith({ world: "default", rules, on: false }));
  cleanup();
  const again = showWith(1, ruleOff);
  fireEvent.click(await screen.findByRole("switch", { name: "On in this world", checked: false }));
  await vi.waitFor(() => expect(again).toHaveBeenLastCalledWith({ world: "default", rules, on: true }));
  expect(screen.queryByText(/All are off/)).toBeNull();
});

it("keeps the rules that another window set meanwhile", async () => {
  const set = showWith(2);
  const choice = await screen.findByRole("combobox", { name: "Supplier 2" });
  const other = { ...rule, id: "s", organization_id: "Buyer", off: null, finished: false, sentence: "" };
  const shown = fetch;
  vi.stubGlobal("fetch", (url: string, init: RequestInit) =>
    url.endsWith("counterparts.list") ? Response.json({ items: [other] }) : shown(url, init),
  );
  fireEvent.click(choice);
  fireEvent.click(await screen.findByRole("option", { name: "Never answers" }));
  const rules = [
    { organization_id: "Buyer", does: "never" },
    { organization_id: "Supplier 2", does: "never" },
  ];
  await vi.waitFor(() => expect(set).toHaveBeenLastCalledWith({ world: "default", rules, on: true }));
});

it("says that a buyer has placed all its orders", async () => {
  showWith(1, null, { organization_id: "Buyer", does: "order", supplier_id: "Supplier 1", done: 10, finished: true });
  await screen.findByText("All 10 orders placed");
  cleanup();
  showWith(1, null, { organization_id: "Buyer", does: "order", supplier_id: "Supplier 1", done: 1, finished: true });
  await screen.findByText("Its order is placed");
  screen.getByText("1 act done");
});

it("shows how much of a rule's delay is left, and nothing of a test value's", async () => {
  const act = (rule_id: string | null) => ({
    ...{ id: "act", does: "confirm", label: "O-1", rule_id, organization: { id: "Supplier 1", name: "Supplier 1" } },
    due_at: new Date(Date.now() + 15_000).toISOString(),
  });
  const ring = () => document.querySelector("circle[pathLength]")?.getAttribute("stroke-dasharray");
  showWith(1, null, { does: "confirm", after_seconds: 30 }, [], [act("r")]);
  await screen.findByText("confirms O-1");
  expect(Number(ring()?.split(" ")[0])).toBeGreaterThan(40);
  expect(Number(ring()?.split(" ")[0])).toBeLessThanOrEqual(50);
  cleanup();
  showWith(1, null, { does: "confirm", after_seconds: 30 }, [], [act(null)]);
  await screen.findByText("confirms O-1");
  expect(ring()).toBeUndefined();
});

it("names the newest job that used a test value", async () => {
  const job = (job_number: string, claim_number: string) => ({
    id: job_number,
    job_number,
    claim_number,
    created_at: ruleOff.at,
  });
  showWith(1, null, {}, [
    job("J-4", "test:webhook=late=2h;confirm-after=45s"),
    job("J-3", "test:confirm-after=soon"),
    job("J-2", "test:confirm-after=30s"),
    job("J-1", "test:answer=unprocessable"),
  ]);
  await screen.findByText("test:confirm-after=30s");
  await vi.waitFor(() => expect(screen.getAllByRole("link", { name: /^J-/ })).toHaveLength(3));
  const jobOf = (value: string) => screen.getByText(value).closest("li")?.querySelector("a")?.textContent ?? null;
  expect(
    ["confirm-after=30s", "webhook=late=1m", "webhook=duplicate", "answer=unprocessable*3", "answer=429"].map((value) =>
      jobOf(`test:${value}`),
    ),
  ).toEqual(["J-4", "J-4", null, "J-1", null]);
});

it("sets a time that isn't among the choices", async () => {
  const set = showWith(1, null, { does: "confirm", after_seconds: 30 });
  fireEvent.click(await screen.findByRole("combobox", { name: "Supplier 1" }));
  fireEvent.click(await screen.findByRole("option", { name: "Confirms after …" }));
  const seconds = await screen.findByRole("spinbutton", { name: "Seconds after an order was placed" });
  expect(seconds).toHaveProperty("value", "30");
  fireEvent.change(seconds, { target: { value: "45" } });
  fireEvent.click(screen.getByRole("button", { name: "Set" }));
  const rules = [{ organization_id: "Supplier 1", does: "confirm", after_seconds: 45 }];
  await vi.waitFor(() => expect(set).toHaveBeenLastCalledWith({ world: "default", rules, on: true }));
});
