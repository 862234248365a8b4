import type { Counterpart } from "../contract/control/counterpart-operations.ts";
import type { Explanation } from "../contract/control/explain-operations.ts";
import type { Receiver } from "../contract/control/receiver-operations.ts";
import {
  type Credential,
  type Delivery,
  type DeliveryRow,
  type JobRow,
  type ProcurementRow,
  type RequestDetail,
  type RequestRow,
  type Side,
  type Subscription,
  sides,
} from "../contract/control/rows.ts";
import { operationPath } from "../contract/operation.ts";
import { partnerOperations } from "../contract/operations/partner.ts";
import type { Basket } from "../contract/resources/basket.ts";
import type { Job, Part } from "../contract/resources/job.ts";
import type { BuyerProcurement, SupplierProcurement } from "../contract/resources/procurement.ts";
import type { Scenario, Show, Step } from "../contract/scenario.ts";
import {
  type Scene,
  type SceneWebhook,
  type Screen,
  STORY_FORMAT,
  type Story,
  type StorySentence,
} from "../contract/story.ts";
import { VERSION } from "../host/version.ts";
import { readField, readText } from "../rules/json/untyped.ts";
import { realTime } from "../storage/real-time.ts";
import { type StepResult, shownValue, stepTitle } from "./report.ts";
import type { ScenarioRun } from "./run-scenario.ts";
import type { ScenarioClient } from "./scenario-client.ts";
import * as screens from "./story-screens.ts";
import { NO_RESPONSE, type Verdict } from "./verdict.ts";

/** Limit on the notifications that a scene shows. */
const MAX_WEBHOOKS = 8;
/** How long a scene waits for immediate deliveries, in milliseconds. */
const ARRIVAL_MS = 1_000;
const CHECK_EVERY_MS = 25;

/** Short labels of steps on the map, by operation. */
const STATIONS: Readonly<Partial<Record<string, string>>> = {
  "integrations.insert": "Install",
  "repairer.jobs.insert": "Insert job",
  "repairer.jobs.parts.insert": "Add parts",
  "repairer.jobs.baskets.latest.get": "Choose offers",
  "repairer.procurements.place": "Place order",
  "supplier.procurements.confirm": "Confirm",
  "procurements.cancel": "Cancel",
};

const stationLabel = (step: Step): string => {
  if (step.receiver) return "Subscribe";
  if (step.deliveries) return "Webhooks";
  if (step.control?.operation.startsWith("clock.")) return "Time passes";
  return STATIONS[step.call?.operation ?? ""] ?? stepTitle({ step, verdict: { outcome: "held", detail: "" } });
};

/** A shown record with its call or receiver. */
interface ShownRecord {
  readonly value: unknown;
  readonly step: Step;
  /** The calling integration; null: none. */
  readonly caller: string | null;
}

type Screens = Partial<Record<Side, Screen | null>>;

/** The last screens and notifications of a world. */
interface Seen {
  screens: Record<Side, Screen | null>;
  webhooks: readonly SceneWebhook[];
}

/** Returns true if a step looks at notifications that were sent before it. */
const looksAtWebhooks = ({ deliveries, control }: Step): boolean =>
  deliveries !== undefined || control?.operation === "receivers.received" || control?.operation === "deliveries.list";

/** The notifications to show after new ones: mere retries update those shown before. */
const withRetries = (before: readonly SceneWebhook[], arrived: readonly SceneWebhook[]): readonly SceneWebhook[] => {
  const known = new Map(before.map((one) => [one.delivery_id, one]));
  if (!arrived.every(({ delivery_id }) => known.has(delivery_id))) return arrived;
  for (const one of arrived) known.set(one.delivery_id, one);
  return [...known.values()];
};

const stepSides = ({ side }: Show): readonly Side[] => (side === "both" ? sides : [side]);

const callerSide = ({ call }: Step): Side | null => {
  const declared = partnerOperations.find(({ id }) => id === call?.operation)?.scope;
  if (declared === "repairer" || declared === "supplier") return declared;
  return call?.as === "repairer" || call?.as === "supplier" ? call.as : null;
};

export const hasStory = ({ steps }: Scenario): boolean => steps.some(({ say }) => say !== undefined);

/** The steps with sentences, and the sides where the map shows them. */
const storySentences = ({ steps }: Scenario): StorySentence[] =>
  steps.flatMap((step, index) => {
    if (step.say === undefined) return [];
    const acting = callerSide(step);
    const shown = step.show ? stepSides(step.show) : [];
    return [{ number: index + 1, title: stationLabel(step), say: step.say, sides: acting ? [acting] : [...shown] }];
  });

/** The IDs that a value names: its own, or those of its items. */
const referencedIds = (value: unknown): string[] => {
  const items = readField(value, "items");
  return (Array.isArray(items) ? items : [value]).flatMap((one) => readText(one, "id") ?? []);
};

/** The message of a response; null if it has none. */
const findMessage = (text: string | undefined): string | null => {
  try {
    const { message } = JSON.parse(text ?? "") as { readonly message?: unknown };
    return typeof message === "string" ? message : null;
  } catch {
    return null;
  }
};

/**
 * D94: watches a run and records each side's screen after every step with a sentence. It reads as the sides' own
 * integrations and without being recorded, so the run is not affected.
 */
export class Storyteller {
  readonly #client: ScenarioClient;
  readonly #run: ScenarioRun;
  readonly #scenario: Scenario;
  readonly #at = new Date(realTime()).toISOString();
  /** By step number: a repeated step has one scene. */
  readonly #scenes = new Map<number, Scene>();
  /** Sources of saved values, by name. */
  readonly #sources = new Map<string, Omit<ShownRecord, "value">>();
  /** Last seen states of deliveries. */
  readonly #deliveries = new Map<string, string>();
  /** The story's jobs: everything else in the world is ignored. */
  readonly #jobs = new Set<string>();
  /** Each side's last screen of a record, by its title. */
  readonly #seenBefore = new Map<string, Screen>();
  /** By world: one world's records never stand in for another's. */
  readonly #seen = new Map<string, Seen>();
  /** The world where the current step acts. */
  #world = "";
  /** Calls of counterparts that a scene has shown. */
  readonly #acts = new Set<string>();
  #calls = 0;

  constructor(client: ScenarioClient, run: ScenarioRun, scenario: Scenario) {
    this.#client = client;
    this.#run = run;
    this.#scenario = scenario;
  }

  /** Returns the story so far, without secrets. */
  story(): Story {
    const { name, about = null } = this.#scenario;
    const scenes = [...this.#scenes.values()].toSorted((one, other) => one.number - other.number);
    const head = { story: STORY_FORMAT, title: name, about, version: VERSION, at: this.#at } as const;
    return this.#run.masked({ ...head, said: storySentences(this.#scenario), scenes });
  }

  /** Records a step's result. */
  async record({ number, step, verdict }: StepResult): Promise<void> {
    const written = this.#scenario.steps[number - 1];
    const holds = verdict.outcome === "held";
    if (step.call && holds) this.#calls += 1;
    if (step.save !== undefined && holds) this.#sources.set(step.save, { step, caller: this.#run.credentialOf(step) });
    if (holds) this.#scenes.delete(number);
    if (written?.say === undefined && holds) return;
    const { difference, detail } = verdict;
    const place = this.#placeOf(step);
    this.#world = this.#run.worldOf(place);
    const seen = this.#seen.get(this.#world) ?? { screens: { repairer: null, supplier: null }, webhooks: [] };
    this.#seen.set(this.#world, seen);
    const trace_id = verdict.trace_id ?? (await this.#unansweredCall(step, verdict));
    const show = holds ? written?.show : undefined;
    const shownCall = (show && (await this.#actOf(step, show))) ?? trace_id;
    const call = shownCall === undefined ? null : await this.#call(step, shownCall);
    // A call that found nothing shows nothing, even if another integration can see the record.
    const isFound = call?.status !== 404;
    const read = show && isFound ? await this.#readScreens(show) : {};
    const shown = read ?? {};
    const changed = sides.filter((side) => shown[side]);
    for (const side of sides) {
      const [before, now] = [seen.screens[side], shown[side]];
      if (!now) {
        const isGone = !isFound && show !== undefined && stepSides(show).includes(side);
        seen.screens[side] = isGone ? null : before && screens.withoutMarks(before);
        continue;
      }
      const screenKey = `${this.#world} ${side} ${now.note} ${now.title}`;
      seen.screens[side] = screens.withMarks(now, this.#seenBefore.get(screenKey));
      this.#seenBefore.set(screenKey, now);
    }
    const arrived = await this.#newWebhooks();
    if (arrived.length > 0) seen.webhooks = withRetries(seen.webhooks, arrived);
    const said = holds ? null : ((await this.#explain(trace_id)) ?? findMessage(verdict.answer));
    const problem = {
      detail,
      expected: difference ? shownValue(difference.expected) : "",
      got: difference ? shownValue(difference.got) : "",
      ...(said === null ? {} : { answer: said }),
    };
    this.#scenes.set(number, {
      ...{ number, ...seen.screens, changed, call },
      // A step that checks deliveries shows those that its sentence is about.
      webhooks: [...(looksAtWebhooks(step) ? seen.webhooks : arrived)],
      ...(place.world === undefined ? {} : { world: place.world }),
      ...(show && changed.length === 0 ? { [read === null ? "unshown" : "missing"]: show.entity } : {}),
      ...{ calls: this.#calls, problem: holds ? null : problem },
    });
  }

  /** The step whose world counts: a check of deliveries looks where its receiver is. */
  #placeOf(step: Step): Step {
    return (step.deliveries && this.#sources.get(step.deliveries.receiver)?.step) ?? step;
  }

  /** Lists records of the step's world; empty when the world is gone, because watching must not fail a run. */
  async #listed<T>(operation: string, body: object = {}): Promise<readonly T[]> {
    const { status, body: responseBody } = await this.#client.control(operation, { world: this.#world, ...body });
    return status === 200 ? (responseBody as { items: T[] }).items : [];
  }

  /** Reads as an integration; null when it's refused or missing. */
  async #read<T>(id: (typeof partnerOperations)[number]["id"], caller: string, body: object): Promise<T | null> {
    const declared = partnerOperations.find((one) => one.id === id);
    if (!declared) return null;
    const { status, body: responseBody } = await this.#client.observe(
      operationPath(declared),
      caller,
      this.#world,
      body,
    );
    return status === 200 ? (responseBody as T) : null;
  }

  /** Returns why a call was refused, as Requests says it; null if it wasn't, or has no record. */
  async #explain(id: string | undefined): Promise<string | null> {
    if (id === undefined) return null;
    // Without a world, the service also knows calls to worlds that don't exist.
    for (const place of [{ world: this.#world }, {}]) {
      const { status, body } = await this.#client.control("requests.explain", { ...place, id });
      if (status === 200) return (body as Explanation).refusal?.sentence ?? null;
    }
    return null;
  }

  /** Returns the record of a step's call whose connection was closed: its ID was in the missing response. */
  async #unansweredCall({ call }: Step, { difference }: Verdict): Promise<string | undefined> {
    if (call?.operation === undefined || difference?.got !== NO_RESPONSE) return undefined;
    const filter = { operation: call.operation, origin: "scenario", status: 0, limit: 1 };
    return (await this.#listed<RequestRow>("requests.list", filter))[0]?.trace_id;
  }

  /**
   * Returns the new call of a counterpart to a shown order, for a step that only looks at it; undefined when the step's
   * own call is shown.
   */
  async #actOf({ call }: Step, { entity }: Show): Promise<string | undefined> {
    if (partnerOperations.find(({ id }) => id === call?.operation)?.effect === "write") return undefined;
    for (const procurement_id of referencedIds(this.#run.saved(entity))) {
      const filter = { procurement_id, origin: "counterpart", changes: true, limit: 1 };
      const [newest] = await this.#listed<RequestRow>("requests.list", filter);
      if (!newest || this.#acts.has(newest.trace_id)) continue;
      this.#acts.add(newest.trace_id);
      return newest.trace_id;
    }
    return undefined;
  }

  async #call(step: Step, id: string): Promise<Scene["call"]> {
    const input = { world: this.#world, id };
    const { status, body } = await this.#client.control("requests.get", input);
    if (status !== 200) return null;
    const { side, operation, method, path, duration_ms, request_body, response_body, ...of } = body as RequestDetail;
    return {
      ...{ side: side ?? callerSide(step), operation, method, path, status: of.status, duration_ms },
      ...{ request: request_body, response: response_body, trace_id: id },
    };
  }

  /** Returns notifications that were sent or retried since the last call, oldest first. */
  async #newWebhooks(): Promise<SceneWebhook[]> {
    const fresh = (await this.#settled()).filter(({ id, job_id, status, attempts_made }) => {
      const now = `${status} ${attempts_made}`;
      const key = `${this.#world} ${id}`;
      const isNew = attempts_made > 0 && this.#jobs.has(job_id) && this.#deliveries.get(key) !== now;
      this.#deliveries.set(key, now);
      return isNew;
    });
    const shown = fresh.slice(0, MAX_WEBHOOKS).toReversed();
    return Promise.all(
      shown.map(async ({ id, subscription_id, side, event_type, message_id, status, attempts_made, last_status }) => {
        const { body } = await this.#client.control("deliveries.get", { world: this.#world, id });
        const verification = (body as Partial<Delivery>).attempts?.at(-1)?.verification ?? [];
        const delivery = {
          side,
          delivery_id: id,
          receiver: this.#receiverName(subscription_id),
          event_type,
          message_id,
        };
        return { ...delivery, status, attempts: attempts_made, answered: last_status, verification };
      }),
    );
  }

  /**
   * Returns the newest deliveries after their first attempts: immediate deliveries belong to the scene of their call.
   */
  async #settled(): Promise<readonly DeliveryRow[]> {
    const until = performance.now() + ARRIVAL_MS;
    for (;;) {
      const rows = await this.#listed<DeliveryRow>("deliveries.list", { limit: 100 });
      const isWaiting = rows.some(({ status, attempts_made }) => status === "pending" && attempts_made === 0);
      if (!isWaiting || performance.now() >= until) return rows;
      await new Promise((resume) => setTimeout(resume, CHECK_EVERY_MS));
    }
  }

  /** The saved name of a receiver whose integration has several; null: its side is name enough. */
  #receiverName(subscription_id: string): string | null {
    const all = [...this.#sources].flatMap(([name, { step }]) =>
      step.receiver ? [{ name, ...step.receiver, id: readText(this.#run.saved(name), "subscription_id") }] : [],
    );
    const one = all.find(({ id }) => id === subscription_id);
    const hasOthers = all.some((other) => other !== one && other.integration_id === one?.integration_id);
    return one && hasOthers ? one.name : null;
  }

  /** Reads each side's view of a record; null when its kind has no screen. */
  async #readScreens(show: Show): Promise<Screens | null> {
    const source = this.#sources.get(show.entity.split(".", 1)[0] ?? "");
    if (!source) return {};
    const shown = { ...source, value: this.#run.saved(show.entity) };
    if (shown.value === undefined) return {};
    const seen = await this.#readViews(shown);
    return seen && Object.fromEntries(stepSides(show).map((side) => [side, seen[side] ?? null]));
  }

  async #readViews(shown: ShownRecord): Promise<Screens | null> {
    const { step, caller, value } = shown;
    if (step.receiver) return this.#receivers(readText(value, "subscription_id"));
    if (step.control?.operation === "counterparts.set")
      return { supplier: screens.counterpartsScreen((value as { items: Counterpart[] }).items) };
    const { operation = "" } = step.call ?? {};
    if (operation === "integrations.insert") return this.#integrations(readText(value, "integration_id") ?? "");
    if (operation.includes("procurements.")) return this.#orders(referencedIds(value));
    const identity = readField(step.call?.body, "job_identity") ?? { id: readText(value, "id") };
    if (!operation.startsWith("repairer.jobs.") || caller === null) return null;
    return this.#job(caller, identity, operation === "repairer.jobs.baskets.latest.get" ? (value as Basket) : null);
  }

  /** Returns each side's newest integration; an installed one for its own side. */
  async #integrations(id: string): Promise<Screens> {
    const all = await this.#listed<Credential>("credentials.list");
    const installed = all.find(({ integration_id }) => integration_id === id.toLowerCase());
    return Object.fromEntries(
      sides.map((side) => {
        const one = installed?.scope === side ? installed : all.find(({ scope }) => scope === side);
        return [side, one ? screens.integrationScreen(one) : null];
      }),
    );
  }

  /** Returns the given receiver, and the other side's newest one. */
  async #receivers(shown: string | null | undefined): Promise<Screens> {
    const all = await this.#listed<Subscription>("subscriptions.list");
    const builtIn = await this.#listed<Receiver>("receivers.list");
    return Object.fromEntries(
      sides.map((side) => {
        const own = all.filter(({ scope }) => scope === side);
        const one = own.find(({ id }) => id === shown) ?? own.at(-1);
        const behaviour = builtIn.find(({ subscription_id }) => subscription_id === one?.id)?.behaviour;
        return [side, one ? screens.receiverScreen(one, this.#receiverName(one.id), behaviour) : null];
      }),
    );
  }

  async #job(caller: string, identity: unknown, basket: Basket | null): Promise<Screens> {
    const job = await this.#read<Job>("repairer.jobs.get", caller, { identity });
    const [row] = job ? await this.#listed<JobRow>("jobs.list", { ids: [job.id] }) : [];
    if (!row) return {};
    this.#jobs.add(row.id);
    const found = await this.#read<{ items: Part[] }>("repairer.jobs.parts.list", caller, { job_identity: identity });
    const parts = found?.items ?? [];
    const buyers = await this.#listed<Credential>("credentials.list");
    const name = buyers.find(({ integration_id }) => integration_id === caller)?.organization_name ?? "";
    if (!basket) return { repairer: screens.jobScreen(name, row, parts) };
    const chosen = this.#chosenNext();
    const business =
      basket.offers.find(({ sellable_id }) => chosen.has(sellable_id))?.supplier_business_id ??
      basket.suppliers[0]?.business_id;
    const offers = basket.offers.filter(({ supplier_business_id }) => supplier_business_id === business);
    const supplier = basket.suppliers.find(({ business_id }) => business_id === business);
    return {
      repairer: screens.basketScreen(name, { job: row, parts, basket, chosen }),
      supplier: supplier ? screens.offersScreen(supplier.name, parts, offers) : null,
    };
  }

  /** Returns the offers that the next order takes, as far as its references can be resolved. */
  #chosenNext(): ReadonlySet<string> {
    const after = Math.max(0, ...this.#scenes.keys());
    const next = this.#scenario.steps.findIndex(
      ({ call }, index) => index >= after && call?.operation === "repairer.procurements.place",
    );
    const step = next === -1 ? null : this.#run.resolved(next);
    const ids = step && !("problem" in step) ? readField(step.call?.body, "sellable_ids") : [];
    return new Set(Array.isArray(ids) ? ids.map(String) : []);
  }

  async #orders(ids: readonly string[]): Promise<Screens> {
    const rows = ids.length === 0 ? [] : await this.#listed<ProcurementRow>("procurements.list", { ids });
    // With several suppliers, shows the one whose order changed last.
    const [row] = rows.toSorted((one, other) => other.updated_at.localeCompare(one.updated_at));
    if (!row) return {};
    for (const { job_id } of rows) this.#jobs.add(job_id);
    const known = await this.#listed<Credential>("credentials.list");
    const read = async <T>(side: Side, organization: string): Promise<T | null> => {
      const caller = known.find((one) => one.scope === side && one.organization_id === organization)?.integration_id;
      return caller ? this.#read<T>(`${side}.procurements.get`, caller, { identity: { id: row.id } }) : null;
    };
    const buyers = await read<BuyerProcurement>("repairer", row.buyer.organization_id);
    const suppliers = await read<SupplierProcurement>("supplier", row.supplier.organization_id);
    const supplier = suppliers && screens.supplierOrderScreen(row, suppliers);
    if (rows.length > 1) return { repairer: screens.ordersScreen(row.buyer.name, rows), supplier };
    return { repairer: buyers && screens.buyerOrderScreen(row, buyers), supplier };
  }
}
