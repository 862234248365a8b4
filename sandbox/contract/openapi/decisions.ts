import { type PolicyName, policyChoices, policyNames, policyQuestions } from "../control/policies.ts";
import sentences from "./decisions.json" with { type: "json" };

/**
 * IDs of the decisions where the contract is silent, as the declarations use them. Their sentences are for partners.
 */
export type DecisionId = keyof typeof sentences;

export const decisionIds = Object.keys(sentences) as DecisionId[];

/** Returns the setting of a world that overrides the decision. */
const findPolicy = (id: DecisionId): PolicyName | null =>
  policyNames.find((name) => policyQuestions[name].decision === id) ?? null;

export const isDecision = (id: string): id is DecisionId => id in sentences;

const switchNote = (id: DecisionId): string => {
  const name = findPolicy(id);
  if (!name) return "";
  const [first, ...others] = policyChoices[name].map((choice) => `\`${choice}\``);
  return ` The setting is \`${name}\` = ${first}; a world can use ${others.join(" or ")} instead.`;
};

/** The decision as text, with the setting that changes it. @throws for an ID without a sentence */
const decisionText = (id: string): string => {
  if (!isDecision(id)) throw new Error(`the declarations name ${id}, which has no sentence in decisions.json`);
  return sentences[id] + switchNote(id);
};

/** A decision's text, and the setting that overrides it. */
export const getDecision = (id: DecisionId): { readonly meaning: string; readonly policy: PolicyName | null } => ({
  meaning: sentences[id],
  policy: findPolicy(id),
});

export const decisionTexts = (): Record<string, string> =>
  Object.fromEntries(decisionIds.map((id) => [id, decisionText(id)]));

/** Decisions as a Markdown list. */
export const decisionList = (decisions: readonly string[]): string =>
  decisions.map((id) => `- **${id}**: ${decisionText(id)}`).join("\n");

/** The decisions about an operation as the end of its description; empty when there are none. */
export const decisionNotes = (decisions: readonly string[]): string =>
  decisions.length === 0 ? "" : `\n\nWhere the contract is silent, this sandbox assumes:\n\n${decisionList(decisions)}`;
