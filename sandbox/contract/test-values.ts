import { type ErrorCode, errorCodes } from "./errors.ts";
import { nearestNames } from "./nearest-names.ts";

/** Prefix of a `claim_number` that causes an outcome for its job (D93). */
export const TEST_PREFIX = "test:";
const SEPARATOR = ";";

/** Limit on the values that are read from one claim number. */
const MAX_VALUES = 16;
/** Limit on the calls that one value answers. */
const MAX_ANSWERS = 100;
/** The longest delay of a response in milliseconds, and the limit on delayed calls of a world. */
const MAX_WAIT_MS = 30_000;
export const MAX_WAITING_CALLS = 100;
/** The longest time until an automatic act, in milliseconds. */
const MAX_ACT_DELAY_MS = 30 * 86_400_000;

const offerChoices = ["none", "one", "used"] as const;
/** Offers that remain in the job's basket. */
export type OfferChoice = (typeof offerChoices)[number];

/** Response that replaces the operation's work. */
export interface TestAnswer {
  readonly status: number;
  /** The `type` of the response: a code of the contract, or the sandbox's own. */
  readonly code: ErrorCode;
  readonly times: number;
}

/** Delivery of a job's notifications; `late` in milliseconds. */
export type WebhookChoice =
  | { readonly kind: "duplicate" | "out-of-order" | "none" }
  | { readonly kind: "late"; readonly ms: number };

/** Outcomes of a claim number's values; only requested ones are present. */
export interface TestOutcomes {
  readonly "confirm-after"?: number;
  readonly "cancel-after"?: number;
  readonly offers?: OfferChoice;
  readonly answer?: TestAnswer;
  readonly delay?: number;
  readonly webhook?: WebhookChoice;
}
export type TestValueName = keyof TestOutcomes;

interface TestValue<N extends TestValueName> {
  /** Example values; the first is the suggestion. */
  readonly examples: readonly string[];
  readonly takes: string;
  readonly outcome: string;
  /** Outcomes of its choices, where they differ. */
  readonly each?: Readonly<Record<string, string>>;
  /** Parses a value; null when it is invalid. */
  readonly read: (text: string) => NonNullable<TestOutcomes[N]> | null;
}

const units: ReadonlyMap<string, number> = new Map([
  ["ms", 1],
  ["s", 1_000],
  ["m", 60_000],
  ["h", 3_600_000],
  ["d", 86_400_000],
]);

/** Parses a time such as `30s` to milliseconds; null when invalid or out of range. */
const parseTime = (text: string, most: number): number | null => {
  const [, number = "", unit = ""] = /^(\d{1,10})(ms|s|m|h|d)$/.exec(text) ?? [];
  const ms = Number(number) * (units.get(unit) ?? Number.NaN);
  return ms <= most ? ms : null;
};

const own: Readonly<Record<string, ErrorCode>> = {
  429: "rate_limited",
  500: "internal_error",
  503: "unavailable",
};
const contractCodes = (Object.keys(errorCodes) as ErrorCode[]).filter((code) =>
  ["contract", "D1"].includes(errorCodes[code].origin),
);

const parseAnswer = (text: string): TestAnswer | null => {
  const [, name = "", count = "1"] = /^([a-z0-9_]{1,64})(?:\*(\d{1,4}))?$/.exec(text) ?? [];
  const times = Number(count);
  if (times < 1 || times > MAX_ANSWERS) return null;
  const code = contractCodes.find((one) => one === name) ?? (Object.hasOwn(own, name) ? own[name] : undefined);
  return code === undefined ? null : { status: errorCodes[code].status, code, times };
};

const parseWebhook = (text: string): WebhookChoice | null => {
  const plain = (["duplicate", "out-of-order", "none"] as const).find((kind) => kind === text);
  if (plain) return { kind: plain };
  const ms = text.startsWith("late=") ? parseTime(text.slice("late=".length), MAX_ACT_DELAY_MS) : null;
  return ms === null ? null : { kind: "late", ms };
};

const ACT_TIMES = "a time from 0s to 30d by the world’s clock, such as 500ms, 30s, 2m, 1h or 3d";
const actAfter = (text: string): number | null => parseTime(text, MAX_ACT_DELAY_MS);

/**
 * Every test value by name, with the outcome of a `claim_number` such as `test:confirm-after=30s` for its job (D93).
 * The service, the contract's document, the Console, the help and the package read it.
 */
export const testValues: { readonly [N in TestValueName]: TestValue<N> } = {
  "confirm-after": {
    examples: ["30s"],
    takes: ACT_TIMES,
    outcome: "The suppliers confirm the job’s orders this long after they were placed.",
    read: actAfter,
  },
  "cancel-after": {
    examples: ["2m"],
    takes: ACT_TIMES,
    outcome: "The suppliers cancel the job’s orders this long after they were placed.",
    read: actAfter,
  },
  offers: {
    examples: offerChoices,
    takes: "none, one or used",
    outcome: "The job’s basket is empty (none), from one supplier (one) or of used parts only (used).",
    each: {
      none: "The job’s basket is empty.",
      one: "The job’s basket has offers of one supplier only.",
      used: "The job’s basket has used parts only.",
    },
    read: (text) => offerChoices.find((choice) => choice === text) ?? null,
  },
  answer: {
    examples: ["429", "500", "503", "not_found", "unprocessable*3"],
    takes: `an error code of the contract, 429, 500 or 503, and *N behind it for N times (at most ${MAX_ANSWERS})`,
    outcome: "The next call that names the job, except its insert, returns this error and changes nothing.",
    read: parseAnswer,
  },
  delay: {
    examples: ["5s"],
    takes: "a time of at most 30s",
    outcome: `Calls that name the job, except its insert, return this much later (at most ${MAX_WAITING_CALLS} of a world at once).`,
    read: (text) => parseTime(text, MAX_WAIT_MS),
  },
  webhook: {
    examples: ["duplicate", "late=1m", "out-of-order", "none"],
    takes: "duplicate, late=1m (a time from 0s to 30d), out-of-order or none",
    outcome:
      "The job’s notifications are sent twice (duplicate), later (late), each after the one that follows it (out-of-order) or not at all (none).",
    each: {
      duplicate: "The job’s notifications are sent twice.",
      late: "The job’s notifications are sent this much later.",
      "out-of-order": "Each notification of the job is sent after the one that follows it.",
      none: "The job’s notifications are not sent.",
    },
    read: parseWebhook,
  },
};

export const testValueNames = Object.keys(testValues) as TestValueName[];

/** Outcome of one value. @param argument its text after the name */
const describeOutcome = (name: TestValueName, argument: string): string => {
  const { each, outcome } = testValues[name];
  return each?.[argument.split("=", 1)[0] ?? ""] ?? outcome;
};

export const testValueExamples: readonly { readonly value: string; readonly outcome: string }[] =
  testValueNames.flatMap((name) =>
    testValues[name].examples.map((example) => ({
      value: `${TEST_PREFIX}${name}=${example}`,
      outcome: describeOutcome(name, example),
    })),
  );

/** How the service understood one value of a claim number, for a call's record. */
export interface TestValueNote {
  /** The sent value, without `test:`. */
  readonly value: string;
  /** True if the value has an effect. */
  readonly known: boolean;
  readonly sentence: string;
}

/** A claim number's outcomes, and a note about each value. */
export interface ReadTestValues {
  readonly outcomes: TestOutcomes;
  readonly notes: readonly TestValueNote[];
}

const formatName = (value: string): string => value.split("=", 1)[0] ?? "";
const isName = (name: string): name is TestValueName => Object.hasOwn(testValues, name);

/** Returns whether a claim number is a test value, or meant as one. */
const looksLikeTest = (claimNumber: string): boolean =>
  claimNumber.startsWith(TEST_PREFIX) ||
  isName(/^\s*test\s*:\s*([a-z-]+)\s*=/i.exec(claimNumber)?.[1]?.toLowerCase() ?? "");

const MAX_NOTED_CHARS = 200;
const noEffect = (value: string, sentence: string): TestValueNote => ({
  ...{ value: value.slice(0, MAX_NOTED_CHARS), known: false, sentence },
});

/** Error codes that an unknown answer may mean: by their status, or by a similar name. */
const describeNearAnswers = (text: string): string => {
  const [name = ""] = text.split("*", 1);
  const ofStatus = contractCodes.filter((code) => String(errorCodes[code].status) === name);
  if (Object.hasOwn(own, name) || contractCodes.some((code) => code === name))
    return `A code stands alone, or before *N with N from 1 to ${MAX_ANSWERS}.`;
  const near = ofStatus.length > 0 ? ofStatus : nearestNames(name, [...contractCodes, ...Object.keys(own)]);
  return near.length === 0 ? `The codes are ${contractCodes.join(", ")}.` : `Did you mean ${near.join(" or ")}?`;
};

const describeWrong = (name: TestValueName, argument: string): string => {
  const sentence = `${name} takes ${testValues[name].takes}, so this has no effect.`;
  return name === "answer" ? `${sentence} ${describeNearAnswers(argument)}` : sentence;
};

/** Notes a value that begins with no known name and `=`; none for text that resembles no name. */
const noteUnknown = (value: string): TestValueNote[] => {
  const name = formatName(value);
  const bare = name.trim();
  if (isName(bare)) {
    const written = `${TEST_PREFIX}${bare}=${testValues[bare].examples[0]}`;
    const sentence = `A test value is written with = and without spaces around it, such as ${written}, so this has no effect.`;
    return [noEffect(value, sentence)];
  }
  const near = nearestNames(name, testValueNames);
  if (near.length === 0 && name === value) return [];
  const meant = near.length === 0 ? `Known are ${testValueNames.join(", ")}.` : `Did you mean ${near.join(" or ")}?`;
  const problem = bare === "" ? "A test value has a name before =" : `No test value is called ${name.slice(0, 64)}`;
  return [noEffect(value, `${problem}, so it has no effect. ${meant}`)];
};

/** Later values may repeat the prefix and be separated by blanks. */
const withoutPrefix = (value: string, index: number): string => {
  if (index === 0) return value.trimEnd();
  const text = value.trim();
  return text.startsWith(TEST_PREFIX) ? text.slice(TEST_PREFIX.length) : text;
};

/**
 * Parses a claim number. Values start with `test:`, a known name and `=`, separated by `;`. Anything else is an
 * ordinary claim number, with a note if a test value was probably meant. The first value of a repeated name counts.
 *
 * @returns null for an ordinary claim number without notes
 */
export const readTestValues = (claimNumber: string | null): ReadTestValues | null => {
  if (claimNumber === null || !looksLikeTest(claimNumber)) return null;
  if (!claimNumber.startsWith(TEST_PREFIX)) {
    const sentence = `A test value begins with ${TEST_PREFIX}, in lower case and without spaces, so this has no effect.`;
    return { outcomes: {}, notes: [noEffect(claimNumber, sentence)] };
  }
  const all = claimNumber.slice(TEST_PREFIX.length).split(SEPARATOR);
  const values = all.slice(0, MAX_VALUES).map(withoutPrefix);
  const [first = ""] = values;
  if (!isName(formatName(first)) || !first.includes("=")) {
    const notes = noteUnknown(first);
    return notes.length === 0 ? null : { outcomes: {}, notes };
  }
  const outcomes: Record<string, unknown> = {};
  const notes = values.filter(Boolean).flatMap((value): TestValueNote[] => {
    const name = formatName(value);
    if (!isName(name) || value === name) return noteUnknown(value);
    const text = value.slice(name.length + 1);
    const argument = testValues[name].read(text);
    if (argument === null) return [noEffect(value, describeWrong(name, text))];
    if (Object.hasOwn(outcomes, name)) return [noEffect(value, `${name} is there already: the first one counts.`)];
    outcomes[name] = argument;
    return [{ value: value.slice(0, MAX_NOTED_CHARS), known: true, sentence: describeOutcome(name, text) }];
  });
  const ignored = all.slice(MAX_VALUES).join(SEPARATOR);
  if (ignored !== "") notes.push(noEffect(ignored, `Only the first ${MAX_VALUES} values count.`));
  return { outcomes, notes };
};
