import type { RefusalReason } from "../contract/errors.ts";
import { extractUuid } from "../contract/explain.ts";
import { valueAt } from "../contract/json-pointer.ts";
import { isUuid } from "../contract/schema.ts";
import { readTestValues } from "../contract/test-values.ts";
import { findInvalidPrice, type InvoiceLine } from "../rules/procurements/invoice.ts";
import { toPlainAmount } from "../rules/procurements/money.ts";
import { evaluateVehicleIdentifier } from "../rules/vehicles/vehicle-identifiers.ts";
import type { World } from "../worlds/world.ts";
import { EARLIER_CALL, type EarlierCall, MADE_CHANGE, MAX_CALLS_SEARCHED, tellEarlier } from "./earlier-calls.ts";
import type { Caller } from "./handler.ts";
import { findJob, findNumbered, type Identity, MAX_ORDERS_SEARCHED } from "./job-causes.ts";
import { describeSimilar, findKind, isPlaceholder } from "./likely-mistakes.ts";
import { advise, means, type RefusedCall, refineOtherWorld } from "./refused-call.ts";

/** Lines of an invoice that are looked at. */
const MAX_LINES = 64;
/** Largest price of an invoice's line. */
const MAX_PRICE = 1_000_000;
/** Contract: longest plate. */
const MAX_PLATE_CHARS = 10;

/** Explains a reference that names something else. @param meant with an article */
export const refineReference =
  (meant: string) =>
  (why: RefusalReason, { world, input }: RefusedCall): RefusalReason => {
    const value = why.fact === undefined ? valueAt(input, why.pointers[0] ?? "") : undefined;
    if (typeof value !== "string") return why;
    if (isPlaceholder(value)) return { ...why, fact: "The value is a placeholder: a variable was not filled in." };
    const kind = findKind(world, value);
    return kind ? { ...why, fact: `The value is ${kind.words}, not ${meant}.` } : why;
  };

export const refineInsurer = (why: RefusalReason, call: RefusedCall): RefusalReason => {
  const [pointer = ""] = why.pointers;
  const value = String(valueAt(call.input, pointer)).toLowerCase();
  const insurer = call.world.stores.directory
    .insurers()
    .find(({ id, organization_id }) => id === value || organization_id === value);
  if (!insurer) return refineReference("an insurer")(why, call);
  const isBusiness = insurer.id === value;
  const what = isBusiness ? "the business ID" : "the `organization_id`";
  return pointer === "/work_provider_id"
    ? means(
        why,
        `The value is ${what} of the insurer ${insurer.name}. \`work_provider_id\` takes its \`organization_id\`.`,
        [[pointer, insurer.organization_id]],
      )
    : means(why, `The value is ${what} of the insurer ${insurer.name}. \`${pointer.slice(1)}\` takes its name.`, [
        [pointer, insurer.name],
      ]);
};

export const refineOffer = (why: RefusalReason, call: RefusedCall): RefusalReason => {
  const identity = valueAt(call.input, "/job_identity") as Identity;
  const job = findJob(call.world, identity);
  const hasNoParts = job !== undefined && call.world.stores.parts.listByJob(job.id).length === 0;
  const other = findReadBasket(call.world, call.caller, String(valueAt(call.input, why.pointers[0] ?? "")));
  if (other && other.job_id !== job?.id) {
    const fact = `The offer is of job ${other.label ?? other.job_id}, whose basket was read with this key before.`;
    const meant = `Send \`/job_identity\` as \`{"id":"${other.job_id}"}\` to order it for that job.`;
    return hasNoParts
      ? advise(
          { ...why, fact: `${fact} The job that the call names has no parts, so it has no offers.` },
          `${meant} For the job that the call names, call \`repairer.jobs.parts.insert\` first.`,
        )
      : advise(
          { ...why, fact },
          `${meant} For the job that the call names, use the offers of its own basket (\`repairer.jobs.baskets.latest.get\`).`,
        );
  }
  const value = job && readTestValues(job.claim_number)?.outcomes.offers;
  if (job && value && call.world.policies.test_values === "on")
    return {
      ...why,
      fact: `The basket has ${value === "none" ? "no" : "fewer"} offers, because the job’s claim number has the test value \`offers=${value}\`.`,
      remedy: "Order what `repairer.jobs.baskets.latest.get` returns, or give the job another claim number.",
      side: "fault",
    };
  if (other && !hasNoParts) return refineChangedParts(why, call, other);
  if (hasNoParts)
    return advise(
      { ...why, fact: "The job has no offers, because it has no parts." },
      "Call `repairer.jobs.parts.insert` first. Then read the offers with `repairer.jobs.baskets.latest.get`.",
    );
  const refined = refineReference("an offer")(why, call);
  if (refined.fact !== undefined) return refined;
  const offer = String(valueAt(call.input, why.pointers[0] ?? ""));
  const isIn = (world: World): boolean => findReadBasket(world, call.caller, offer) !== undefined;
  return refineOtherWorld(refined, "The basket with this offer", call.named, call.findOtherWorld?.(isIn));
};

/** Explains an offer that a change of the job's parts replaced. */
const refineChangedParts = (
  why: RefusalReason,
  call: RefusedCall,
  { seq, job_id }: { readonly seq: number; readonly job_id: string },
): RefusalReason => {
  const fact =
    "The offer was in a basket of this job that was read with this key before. The job’s parts have changed since, so the latest basket doesn’t have it.";
  const change = call.world.db.get<EarlierCall>(
    `SELECT ${EARLIER_CALL} FROM requests WHERE job_id = ? AND seq > ? AND operation = 'repairer.jobs.parts.insert' AND ${MADE_CHANGE} ORDER BY seq DESC LIMIT 1`,
    job_id,
    seq,
  );
  if (!change) return { ...why, fact };
  const told = tellEarlier(why, call, change, "{who} changed them, {passed} before this call");
  return { ...told, fact: `${fact} ${told.fact}` };
};

/** Job in whose basket a program read an offer lately. */
const findReadBasket = ({ db }: World, caller: Caller | null, offer: string) =>
  db.get<{ readonly seq: number; readonly job_id: string; readonly label: string | null }>(
    `SELECT seq, job_id, label FROM requests WHERE seq > (SELECT max(seq) FROM requests) - ${MAX_CALLS_SEARCHED}
     AND operation = 'repairer.jobs.baskets.latest.get' AND integration_id = ? AND length(response_body) <= 65536
     AND instr(CAST(response_body AS TEXT), ?) > 0 ORDER BY seq DESC LIMIT 1`,
    caller?.integration_id ?? null,
    `"sellable_id":${JSON.stringify(offer.toLowerCase())}`,
  );

export const refineNumber = (why: RefusalReason, call: RefusedCall): RefusalReason => {
  const { world, input } = call;
  const number = valueAt(input, "/job_number");
  if (typeof number !== "string") return why;
  const empty = "`job_number` is an empty text, which another job of the site has. A job without a number has `null`.";
  if (number.trim() === "") return { ...why, fact: empty };
  const other = world.stores.jobs.byNumber(String(valueAt(input, "/repairer_site_id")).toLowerCase(), number);
  if (!other) return why;
  const external = other.external_id ? ` (\`external\`: \`${other.external_id}\`)` : "";
  const fact = `Job \`${other.id}\`${external} of the site has this number.`;
  const change = world.db.get<EarlierCall & { readonly moved: 0 | 1 }>(
    `SELECT ${EARLIER_CALL}, EXISTS (SELECT 1 FROM log WHERE trace_id = requests.id AND json_type(data, '$.was.repairer_site_id') IS NOT NULL) AS moved
     FROM requests WHERE job_id = ? AND operation = 'repairer.jobs.insert' AND EXISTS (SELECT 1 FROM log WHERE trace_id = requests.id AND kind = 'state'
       AND (instr(data, '"change":"inserted"') OR json_type(data, '$.was.repairer_site_id') IS NOT NULL OR json_type(data, '$.was.job_number') IS NOT NULL))
     ORDER BY seq DESC LIMIT 1`,
    other.id,
  );
  if (!change) return { ...why, fact };
  const told = tellEarlier(
    why,
    call,
    change,
    `${change.moved ? "{who} moved that job to the site" : "{who} gave it to that job"}, {passed} before this call`,
  );
  return { ...told, fact: `${fact} ${told.fact}` };
};

/** Explains a price by the separators and the currency that stand in it. */
const explainPrice = (
  pointer: string,
  value: unknown,
): { readonly fact: string | null; readonly plain: string | null } => {
  const text = String(value);
  const plain = toPlainAmount(text);
  if (plain !== null)
    return { fact: `\`${pointer}\` has a separator of thousands, a decimal comma, a currency or a space.`, plain };
  const sent = text.trim();
  const decimals = /^-?\d+\.(\d+)$/.exec(sent)?.[1]?.length ?? 0;
  if (sent === "") return { fact: `\`${pointer}\` is an empty text.`, plain };
  if (decimals > 2) return { fact: `\`${pointer}\` has ${decimals} decimals, more than the currency.`, plain };
  if (/^\d+[.,]\d{3}$/.test(sent))
    return { fact: `\`${pointer}\` has a separator that may be of thousands or of decimals.`, plain };
  return { fact: Math.abs(Number(sent)) > MAX_PRICE ? `\`${pointer}\` is more than a million.` : null, plain };
};

/** Explains all prices of an invoice that aren't amounts. */
export const refineAmount = (why: RefusalReason, { world, input }: RefusedCall): RefusalReason => {
  const order = world.stores.procurements.get(String(valueAt(input, "/identity/id")));
  const lines = (valueAt(input, "/lines") as readonly InvoiceLine[]).slice(0, MAX_LINES);
  const found = lines.flatMap((line, at) =>
    findInvalidPrice([line], order?.currency_code ?? "USD") < 0
      ? []
      : [{ pointer: `/lines/${at}/unit_price`, ...explainPrice(`/lines/${at}/unit_price`, line.unit_price) }],
  );
  const pointers = found.map(({ pointer }) => pointer);
  const facts = found.map(({ pointer, fact }) => fact ?? `\`${pointer}\` is not an amount.`);
  if (found.length === 0 || (found.length === 1 && found[0]?.fact === null)) return why;
  const fact = [
    ...facts.slice(0, MAX_VALUES),
    ...(facts.length > MAX_VALUES ? [`${facts.length - MAX_VALUES} more prices are wrong.`] : []),
  ].join(" ");
  const meant = found.map(({ pointer, plain }) => [pointer, plain] as const);
  return found.some(({ plain }) => plain === null)
    ? { ...why, fact, pointers }
    : { ...means(why, fact, meant), pointers };
};

/** Record of the caller that a name or a reference stands for, in place of its ID. */
const findNamed = (
  { db, stores }: World,
  { organization_id }: Caller,
  pointer: string,
  value: string,
): { readonly words: string; readonly id: string } | null => {
  if (pointer === "/repairer_site_id") {
    const sites = stores.directory.listBusinesses(organization_id).filter(({ type }) => type === "repairer_site");
    const site = sites.find(({ name }) => name.toLowerCase() === value.trim().toLowerCase());
    return site ? { words: "the name of a site", id: site.id } : null;
  }
  if (!pointer.endsWith("/id")) return null;
  const order = db.get<{ readonly id: string }>(
    `SELECT id FROM (SELECT * FROM procurements ORDER BY seq DESC LIMIT ${MAX_ORDERS_SEARCHED}) WHERE reference = ? AND ? IN (buyer_organization_id, supplier_organization_id)`,
    value.trim(),
    organization_id,
  );
  return order ? { words: "the reference of an order", id: order.id } : null;
};

/** Explains a text in place of a vehicle, by what it looks like. */
const explainVehicle = (text: string): Pick<RefusalReason, "fact" | "meant"> | null => {
  const isChassis = "identifier" in evaluateVehicleIdentifier({ chassis_number: text });
  if (!isChassis && text.length > MAX_PLATE_CHARS) return null;
  const name = isChassis ? "chassis_number" : "plate_number";
  const vehicle = { chassis_number: null, plate_number: null, plate_state: null, [name]: text };
  return { fact: `\`/vehicle\` is an object; the text looks like its \`${name}\`.`, meant: [["/vehicle", vehicle]] };
};

/** Explains a choice that was left empty although the job exists; null if it doesn't. */
const explainNullChoice = (
  world: World,
  caller: Caller | null,
  input: unknown,
): Pick<RefusalReason, "fact" | "meant"> | null => {
  const job = findJob(world, (valueAt(input, "/identity") ?? {}) as Identity);
  if (!job || job.organization_id !== caller?.organization_id) return null;
  return {
    fact: "`/if_` must be object, but `null` was sent. The job exists already: only a call with `if_` changes it.",
    meant: [["/if_", { exists: "update" }]],
  };
};

/** Characters of a text that may be an ID with some missing, or with some too many. */
const LEAST_OF_ID = 30;
/** Explains a text that is the ID of one of the caller's newest records but for some characters; null for others. */
const findNearlyId = (
  { db }: World,
  { organization_id }: Caller,
  pointer: string,
  value: string,
  isOfJob: boolean,
): Pick<RefusalReason, "fact" | "meant"> | null => {
  if (!/\/(?:job_)?identity\/id$/.test(pointer) || value.length < LEAST_OF_ID || isUuid(extractUuid(value)))
    return null;
  const [table, owners] = isOfJob
    ? ["jobs", "organization_id"]
    : ["procurements", "buyer_organization_id, supplier_organization_id"];
  const known = db.all<{ readonly id: string }>(
    `SELECT id FROM (SELECT * FROM ${table} ORDER BY seq DESC LIMIT ${MAX_ORDERS_SEARCHED}) WHERE ? IN (${owners})`,
    organization_id,
  );
  for (const { id } of known) {
    const difference = describeSimilar(value.toLowerCase(), [id]);
    if (difference) return { fact: `\`${pointer}\` is ${difference}.`, meant: [[pointer, id]] };
  }
  return null;
};

/** Explains a text that is a known value but no ID; null for others. */
const explainKnownValue = (
  { world, input, caller, operation }: RefusedCall,
  pointer: string,
): Pick<RefusalReason, "fact" | "meant"> | null => {
  const value = valueAt(input, pointer);
  if (pointer === "/if_" && value === null) return explainNullChoice(world, caller, input);
  if (typeof value !== "string") return null;
  if (pointer === "/vehicle") return explainVehicle(value);
  if (isUuid(value)) return null;
  const { directory, jobs } = world.stores;
  if (pointer === "/work_provider_id" && directory.insurers().some(({ name }) => name === value))
    return {
      fact: "`work_provider_id` holds an insurer’s name, which belongs in `work_provider_contract`.",
      meant: [[pointer], ["/work_provider_contract", value]],
    };
  const isOfJob = caller !== null && /\/(?:job_)?identity\/id$/.test(pointer);
  if (isOfJob && jobs.find({ external: value }, caller.organization_id))
    return {
      fact: "`id` holds the identifier your program gave the job, which belongs in `external`.",
      meant: [[pointer.replace(/\/id$/, ""), { external: value }]],
    };
  const numbered = isOfJob ? findNumbered(world, caller, value) : null;
  if (numbered)
    return {
      fact: `\`id\` holds the job’s ${numbered.kind}. \`id\` is the UUID that the service gave the job. No operation finds a job by its ${numbered.kind}.`,
      meant: [[pointer, numbered.id]],
    };
  const named = caller && findNamed(world, caller, pointer, value);
  if (named)
    return { fact: `\`${pointer}\` holds ${named.words}. Send its ID, \`${named.id}\`.`, meant: [[pointer, named.id]] };
  const nearly = caller && findNearlyId(world, caller, pointer, value, isOfJob && !operation?.includes("procurements"));
  if (nearly) return nearly;
  const kind = findKind(world, value);
  return kind && { fact: `\`${pointer}\` holds ${kind.words}.` };
};

/** Explains the values of a wrong shape that the world knows as something else. */
export const refineShape = (why: RefusalReason, call: RefusedCall): RefusalReason => {
  const known = why.pointers.slice(0, MAX_VALUES).flatMap((pointer) => explainKnownValue(call, pointer) ?? []);
  const [only] = known;
  if (!only) return why;
  const meant = known.flatMap((one) => one.meant ?? []);
  const isOnlyOne = why.pointers.length === 1;
  if (isOnlyOne && why.fact !== undefined && only.meant === undefined) return why;
  const facts = [...(isOnlyOne || why.fact === undefined ? [] : [why.fact]), ...known.map(({ fact }) => fact)];
  return { ...why, fact: facts.join(" "), ...(meant.length > 0 ? { meant } : {}) };
};
/** Values of one call that are looked up. */
const MAX_VALUES = 4;
