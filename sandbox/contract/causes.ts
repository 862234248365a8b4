import { bodyCauses } from "./causes/body-causes.ts";
import { consentCauses } from "./causes/consent-causes.ts";
import { credentialCauses } from "./causes/credential-causes.ts";
import { identityCauses } from "./causes/identity-causes.ts";
import { installCauses } from "./causes/install-causes.ts";
import type { Row } from "./causes/row.ts";
import { ruleCauses } from "./causes/rule-causes.ts";
import { serviceCauses } from "./causes/service-causes.ts";
import { subscriptionCauses } from "./causes/subscription-causes.ts";
import { uploadCauses } from "./causes/upload-causes.ts";
import { type ErrorCode, Refusal, type RefusalReason } from "./errors.ts";

/** Every cause for refusing a partner's call. To add one, add a row of its subject and the check that returns it. */
export const causes = {
  ...credentialCauses,
  ...identityCauses,
  ...installCauses,
  ...ruleCauses,
  ...subscriptionCauses,
  ...bodyCauses,
  ...serviceCauses,
  ...uploadCauses,
  ...consentCauses,
} as const;

export type Cause = keyof typeof causes;
export type StateCause = "confirmed_already" | "confirm_of_cancelled" | "cancel_of_confirmed" | "cancelled_already";

export const causeNames = Object.keys(causes) as Cause[];

/** Returns the row of a cause; null for a cause in an older record that no longer exists. */
export const findCause = (name: string | null | undefined): Row | null =>
  name !== null && name !== undefined && Object.hasOwn(causes, name) ? causes[name as Cause] : null;

/** The reason as a sentence, with the label of the affected job or order. */
export const causeSentence = ({ sentence }: Row, label: string | null): string =>
  sentence
    .replace("{Job}", () => (label ? `Job ${label}` : "The job"))
    .replace("{Order}", () => (label ? `Order ${label}` : "The order"));

/** Returns the reason for a refusal; null when the message says it better by naming the field. */
export const refusalReason = (why: RefusalReason | null | undefined, label: string | null): string | null => {
  const row = findCause(why?.cause);
  const own = row ? (why?.fact ?? (row.code === null && !why?.next ? null : causeSentence(row, label))) : null;
  return own !== null && why?.next ? `${own} ${why.next.fact}` : own;
};

/** Adds the refusal that the corrected call would get, refined like the first. */
export const withNext = (why: RefusalReason, next: RefusalReason | null | undefined): RefusalReason => {
  const row = findCause(next?.cause);
  if (!next || row === null) return why;
  const { cause, pointers, fact = causeSentence(row, null), remedy = row.remedy, elsewhere } = next;
  return { ...why, next: { cause, pointers, fact, remedy, ...(elsewhere ? { elsewhere } : {}) } };
};

/** Adds the remedy of the further mistake. */
export const withNextRemedy = (remedy: string, next: RefusalReason["next"]): string =>
  next ? `${remedy} ${next.remedy}` : remedy;

/** Causes for reasons that lie in another world. */
export const causesElsewhere: Readonly<Record<string, Cause>> = {
  credentials: "key_of_other_world",
  job_unknown: "job_in_other_world",
  job_from_before: "job_in_other_world",
  job_deleted: "job_in_other_world",
  job_id_not_assigned: "job_in_other_world",
  procurement_unknown: "procurement_in_other_world",
  procurement_from_before: "procurement_in_other_world",
  access_code_unusable: "access_code_of_other_world",
  upload_unknown: "upload_elsewhere",
};

type PartOfReason = Pick<RefusalReason, "cause" | "elsewhere" | "remedy" | "fact">;
const tellElsewhere = <Reason extends PartOfReason>(why: Reason, maySee: (world: string) => boolean): Reason => {
  if (!why.elsewhere || !maySee(why.elsewhere.world)) return why;
  const { fact, beside, remedy } = why.elsewhere;
  const row = findCause(why.cause);
  const own = why.fact ?? (row && causeSentence(row, null));
  return {
    ...why,
    ...(beside ? { fact: own ? `${own} ${fact}` : fact } : { cause: causesElsewhere[why.cause] ?? why.cause, fact }),
    ...(remedy === undefined ? {} : { remedy }),
  };
};

/** Restores what lies in other worlds, as far as the reader may see them. */
export const withFullReason = (why: RefusalReason, maySee: (world: string) => boolean): RefusalReason => {
  const told = tellElsewhere(why, maySee);
  const next = why.next && tellElsewhere(why.next, maySee);
  if (!next || next === why.next) return told;
  const { elsewhere, cause, remedy } = next;
  const own = elsewhere?.beside || elsewhere?.remedy ? remedy : findCause(cause)?.remedy;
  return { ...told, next: { ...next, remedy: own ?? remedy } };
};

/** Returns the remedy of the first cause with this code. */
export const errorRemedy = (code: ErrorCode): string =>
  findCause(causeNames.find((name) => causes[name].code === code))?.remedy ??
  "Correct the field that the message names.";

type CodeOf<C extends Cause> = (typeof causes)[C]["code"];
/** Causes that an operation refuses with its own code for a wrong body. */
export type BodyCause = { [C in Cause]: CodeOf<C> extends null ? C : never }[Cause];
/** Causes with the same error code for every operation. */
type CauseWithCode = { [C in Cause]: CodeOf<C> extends ErrorCode ? C : never }[Cause];

/**
 * Refuses a call.
 *
 * @param pointers the fields at fault, as JSON Pointers into the body
 * @param message the message of the response, for codes that carry one
 */
export const refuseFor = (
  cause: CauseWithCode,
  pointers: readonly string[] = [],
  message?: string,
  {
    code = causes[cause].code,
    fact,
    remedy,
    side,
    earlier,
  }: Pick<RefusalReason, "remedy" | "side"> & {
    readonly earlier?: string | undefined;
    readonly code?: ErrorCode;
    readonly fact?: string | null | undefined;
  } = {},
): Refusal =>
  new Refusal(code, message, {
    ...{ cause, pointers },
    ...(fact ? { fact } : {}),
    ...(remedy === undefined ? {} : { remedy }),
    ...(side ? { side } : {}),
    ...(earlier === undefined ? {} : { earlier }),
  });

/** Refuses a body of the wrong shape. @param code the operation's own code (D3) */
export const refuseBody = (
  cause: BodyCause,
  code: ErrorCode,
  { pointer, message }: { readonly pointer: string; readonly message: string },
  finer: Pick<RefusalReason, "fact" | "place" | "remedy"> & { readonly pointers?: readonly string[] } = {},
): Refusal => new Refusal(code, message, { cause, pointers: [pointer], ...finer });
