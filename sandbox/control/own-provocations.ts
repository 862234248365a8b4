import { controlOperations } from "../contract/control/operations.ts";
import type { Provocation } from "../contract/control/provoke-operations.ts";
import { type ErrorCode, errorCodes } from "../contract/errors.ts";
import type { Schema } from "../contract/explain.ts";
import { NO_ONES_ID } from "../contract/no-ones-id.ts";
import type { Operation } from "../contract/operation.ts";
import { type RejectReason, SIGNATURE_HEADER } from "../contract/signature.ts";
import { refusalStatus } from "../rules/receiver.ts";
import { plainValue } from "../rules/smallest-correction.ts";
import { signBody } from "../rules/webhook-signature.ts";
import type { World } from "../worlds/world.ts";
import type { ControlContext } from "./handler.ts";

/** How a call to an operation of the sandbox itself is refused in one way. */
interface Refused {
  readonly code: string;
  readonly status: number;
  readonly name: string;
  readonly says: string;
  readonly body?: unknown;
  readonly headers?: [string, string][];
}

const textOf = (body: unknown): string => JSON.stringify(body, null, 2);

const provocation = (operation: string, { body, headers = [], ...refused }: Refused): Provocation => ({
  ...{ cause: null, own: true, fault: null, needs: null },
  ...refused,
  call: { operation, body: body === undefined ? "" : textOf(body), act_as: null, headers },
});

/** Something of this name is in no world: it is an identifier for what has one. */
const NOTHING = "nothing-of-this-name";

/** What says which thing is meant, where it may be left out, or is not all that has to be said; null: none is named. */
const namedBy: Readonly<Record<string, object | null>> = {
  "requests.annotate": { id: NO_ONES_ID, pinned: true },
  "faults.set": { integration_id: NO_ONES_ID, effect: { drop: { when: "before" } } },
  "faults.clear": { id: NO_ONES_ID },
  "snapshots.save": null,
  "snapshots.export": { name: NOTHING },
  "snapshots.import": null,
  "worlds.compare": { with: { world: NOTHING } },
  "scenarios.record": { trace_ids: [NO_ONES_ID] },
  "runs.start": { name: NOTHING },
};

/** The plainest body of an operation that names something, which is not there. */
const namingNothing = ({ id, request }: Operation): object | null => {
  const named = namedBy[id];
  if (named !== undefined) return named;
  const body = Object.entries(plainValue(request as Schema) as object);
  return Object.fromEntries(body.map(([key, value]) => [key, value === "" ? NOTHING : value]));
};

/** An error that no call is answered with by itself. */
const neverAlone = (code: ErrorCode): Provocation => ({
  ...{ code, status: errorCodes[code].status, cause: null, name: errorCodes[code].meaning, own: true, says: "" },
  ...{ call: null, fault: null, needs: "Only what is there already can be answered so: the message says what." },
});

const ofControl = (operation: Operation): Provocation[] => {
  const made = (code: ErrorCode, name: string, says: string, sent: Pick<Refused, "body" | "headers">) =>
    provocation(operation.id, { code, status: errorCodes[code].status, name, says, ...sent });
  const nothing = namingNothing(operation);
  const recipes: Partial<Record<ErrorCode, Provocation[]>> = {
    unauthorized: [
      made("unauthorized", "Not the control token", "sends another token", {
        body: {},
        headers: [["authorization", "Bearer guessed"]],
      }),
    ],
    bad_request: [
      made("bad_request", "Not a JSON object", "sends a list", { body: [] }),
      made("bad_request", "A field is off", "sends a number as world", { body: { world: 0 } }),
    ],
    not_found: nothing ? [made("not_found", "No such thing", "names what is not there", { body: nothing })] : [],
  };
  return operation.errors.flatMap((code) => recipes[code] ?? [neverAlone(code)]);
};

type Mode = ControlContext["info"]["mode"];

const SIX_MINUTES_MS = 6 * 60_000;

const refusedAddress: Readonly<Record<Mode, Pick<Refused, "code" | "name" | "says"> & { readonly url: string }>> = {
  local: {
    ...{ code: "url_not_loopback", name: "Not an address of this machine", says: "subscribes example.com" },
    url: "https://example.com/webhooks",
  },
  deployed: {
    ...{ code: "https_required", name: "Not https", says: "subscribes an http address" },
    url: "http://example.com/webhooks",
  },
};

const refusedBy = (code: RejectReason) => ({ code, status: refusalStatus(code) });

/** Reasons are answered in the contract's own form, `{"ok": false, "reason": …}` ("Subscription", "Reference sink"). */
const ofRoute: Readonly<Record<string, (mode: Mode, world: World) => readonly Refused[]>> = {
  "webhooks.subscribe": (mode) => {
    const { url, ...address } = refusedAddress[mode];
    return [
      { status: 400, ...address, body: { integration_id: NO_ONES_ID, url } },
      { status: 400, code: "missing_field", name: "No integration", says: "leaves integration_id out", body: { url } },
      { status: 400, code: "bad_body", name: "Not a JSON object", says: "sends a list", body: [] },
    ];
  },
  "webhooks.secret": () => [
    {
      ...{ status: errorCodes.unauthorized.status, code: "unauthorized" },
      ...{ name: "No key, or unknown", says: "sends none" },
    },
  ],
  "webhooks.sink": (_mode, world) => {
    const [credential] = world.stores.credentials.list();
    const { integration_id = NO_ONES_ID, webhook_secret = "" } = credential ?? {};
    const signed = (body: object): Pick<Refused, "body" | "headers"> => ({
      body,
      headers: [[SIGNATURE_HEADER, signBody(Buffer.from(textOf(body)), webhook_secret)]],
    });
    const webhook_timestamp = new Date(Date.now() - SIX_MINUTES_MS).toISOString();
    return [
      { ...refusedBy("missing_signature"), name: "Not signed", says: "leaves the signature out", body: {} },
      {
        ...{ ...refusedBy("bad_signature"), name: "Signed by another", says: "guesses the signature" },
        ...{ body: { integration_id }, headers: [[SIGNATURE_HEADER, "guessed"]] },
      },
      {
        ...{ ...refusedBy("missing_timestamp"), name: "No time stamp", says: "leaves it out" },
        ...signed({ integration_id }),
      },
      {
        ...{ ...refusedBy("stale_timestamp"), name: "Too old", says: "is six minutes old" },
        ...signed({ integration_id, webhook_timestamp }),
      },
    ];
  },
};

/** The errors of an operation that is the sandbox's own, each with what makes it happen; null for one that is none. */
export const ownProvocations = (id: string, mode: Mode, world: World): Provocation[] | null => {
  const operation = controlOperations.find((one) => one.id === id);
  if (operation) return ofControl(operation);
  return ofRoute[id]?.(mode, world).map((refused) => provocation(id, refused)) ?? null;
};
