// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { usePendingCall } from "../../domain/exchange/pending-call.ts";
import { takeToken } from "../../lib/session.ts";
import "../../testing/fresh-window.ts";
import { show } from "../../testing/shown.tsx";
import { OperationPage } from "./operation-page.tsx";
import { useSent } from "./sent-store.ts";

// The editor measures text, which jsdom cannot.
vi.mock("../../components/late-json-editor.tsx", () => ({
  LateJsonEditor: ({ value }: { value: string }) => <pre>{value}</pre>,
}));

const operation = {
  ...{ operationId: "businesses.list", summary: "Lists sites.", description: "", "x-origin": "contract" },
  ...{ security: [{}], "x-scope": "either", responses: {} },
  requestBody: { content: { "application/json": { schema: { type: "object" }, example: {} } } },
};
const documents: Readonly<Record<string, object>> = {
  "/openapi.json": { paths: { "/api/2026-01/businesses.list": { post: operation } }, components: {} },
  "/__sandbox/openapi.json": {
    paths: {
      "/__sandbox/worlds.reset": {
        post: {
          ...{ operationId: "worlds.reset", summary: "Resets a world.", description: "", "x-origin": "extension" },
          ...{ security: [{}], responses: {} },
          requestBody: {
            content: { "application/json": { schema: { type: "object", properties: { world: { type: "string" } } } } },
          },
        },
      },
    },
    components: {},
  },
};
const error = {
  ...{ code: "unprocessable", status: 422, cause: "shape", sentence: "A field is wrong.", own: true, fault: null },
  ...{
    needs_policy: null,
    after: [],
    call: { operation: "businesses.list", body: '{"wrong":1}', act_as: null, headers: [] },
  },
};
const issue = { operation: "access-codes.issue", path: "/__sandbox/access-codes.issue", body: "{}", act_as: null };
const afterAnother = {
  ...error,
  ...{
    cause: "access_code_nearly",
    sentence: "The code is nearly right.",
    after: [{ ...issue, tenant: "elsewhere", save: "code" }],
  },
  call: { operation: "businesses.list", body: '{"access_code":"{{code.access_code}}x"}', act_as: null, headers: [] },
};
let errors: object[] = [];
let bodies: string[] = [];
let asked: string[] = [];
let resets: unknown[] = [];
let check: object = {};
const askedFor = (name: string) => asked.filter((one) => one === name).length;

beforeEach(() => {
  takeToken("token");
  useSent.setState(useSent.getInitialState());
  usePendingCall.setState(usePendingCall.getInitialState());
  errors = [error];
  bodies = [];
  asked = [];
  resets = [];
  check = { findings: [], ignored: [], refusal: null };
  vi.stubGlobal("fetch", async (url: string, { body }: RequestInit = {}) => {
    const name = String(url).split("/").at(-1) ?? "";
    asked.push(name);
    if (name === "worlds.reset") resets.push(JSON.parse(String(body)));
    if (documents[url]) return Response.json(documents[url]);
    if (name === "operations.provoke") return Response.json({ items: errors });
    if (name === "operations.check") return Response.json(check);
    if (name === "access-codes.issue") return Response.json({ access_code: "ac_1" });
    if (name === "businesses.list") bodies.push(String(body));
    if (name === "businesses.list") return Response.json({ items: [{ name: "Penrose" }] }, { status: 422 });
    return Response.json({ items: [] });
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const press = async (name: RegExp) => {
  const button = await screen.findByRole("button", { name });
  await act(async () => fireEvent.click(button));
};
const sent = (times: number) => waitFor(() => expect(askedFor("businesses.list")).toBe(times));

it("offers to restore the replaced call until another is sent", async () => {
  show(<OperationPage id="businesses.list" />);
  await press(/^Reproduce/);
  await sent(1);
  await screen.findByRole("button", { name: "Restore my call" });
  await press(/^Send/);
  await sent(2);
  expect(screen.queryByRole("button", { name: "Restore my call" })).toBeNull();
});

it("names and makes an error's preparatory calls, and sends their results", async () => {
  errors = [afterAnother];
  show(<OperationPage id="businesses.list" />);
  await screen.findByText(/First calls access-codes.issue in world elsewhere\./);
  await press(/^Reproduce/);
  await sent(1);
  expect(asked.indexOf("access-codes.issue")).toBeLessThan(asked.indexOf("businesses.list"));
  expect(bodies).toEqual(['{"access_code":"ac_1x"}']);
});

it("predicts a refusal, and names the first ignored field", async () => {
  const message = "/pag is not a known field";
  check = { findings: [{ pointer: "/page", message }], ignored: [], refusal: { status: 422 } };
  show(<OperationPage id="worlds.reset" />);
  await screen.findByText("1 invalid field");
  screen.getByText("This call will be refused with 422. Send it anyway to see the error.");
  cleanup();
  check = { findings: [], ignored: [{ pointer: "/pag", message }], refusal: null };
  show(<OperationPage id="worlds.reset" />);
  await screen.findByText("1 field ignored");
  screen.getByText(message);
});

it("names the setting that an error needs", async () => {
  errors = [{ ...error, needs_policy: { name: "confirm_when_confirmed", value: "reject" } }];
  show(<OperationPage id="businesses.list" />);
  const listed = await screen.findByRole("list", { name: "Errors of this operation" });
  expect(listed.textContent).toContain("First set confirm_when_confirmed to reject. Open the setting");
});

it("reports an address without an operation", async () => {
  show(<OperationPage id="businesses.lst" />);
  await screen.findByText("No operation has this name");
  screen.getByRole("link", { name: "All operations" });
});

it("announces a response briefly, and reloads the errors after each call", async () => {
  show(<OperationPage id="businesses.list" />);
  await waitFor(() => expect(askedFor("operations.provoke")).toBe(1));
  await press(/^Send/);
  await screen.findByText(/Penrose/);
  await waitFor(() => expect(askedFor("operations.provoke")).toBe(2));
  const live = [...document.querySelectorAll("[aria-live], [role=status], [role=alert]")];
  expect(live.map(({ textContent }) => textContent).join()).toMatch(/Returned 422 in/);
  expect(live.map(({ textContent }) => textContent).join()).not.toContain("Penrose");
});

it("resets the window's world, after confirmation", async () => {
  window.history.replaceState(null, "", "/console/worlds.reset?world=qa");
  show(<OperationPage id="worlds.reset" />);
  expect((await screen.findByRole("region", { name: "JSON" })).textContent).toContain('"world": "qa"');
  await press(/^Send/);
  const dialog = await screen.findByRole("dialog", { name: "Send worlds.reset to qa?" });
  expect(resets).toEqual([]);
  await act(async () => fireEvent.click(within(dialog).getByRole("button", { name: "Send call" })));
  await waitFor(() => expect(resets).toEqual([{ world: "qa" }]));
  expect(screen.queryByText(/^Acts on/)).toBeNull();
});

it("adds the window's world to an opened call, and names another target world", async () => {
  window.history.replaceState(null, "", "/console/worlds.reset?world=qa");
  const offered = { operation: "worlds.reset", headers: [], actAs: { kind: "none" } } as const;
  usePendingCall.getState().offer({ ...offered, body: "{}" });
  show(<OperationPage id="worlds.reset" />);
  const json = await screen.findByRole("region", { name: "JSON" });
  await waitFor(() => expect(usePendingCall.getState().call).toBeNull());
  expect(json.textContent).toContain('"world": "qa"');
  await act(async () => usePendingCall.getState().offer({ ...offered, body: '{"world":"default"}' }));
  await screen.findByText("Acts on default");
  await press(/^Send/);
  await screen.findByRole("dialog", { name: "Send worlds.reset to default?" });
});
