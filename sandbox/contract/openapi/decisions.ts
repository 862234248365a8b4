import { type PolicyName, policyChoices, policyNames, policyQuestions } from "../control/policies.ts";
import sentences from "./decisions.json" with { type: "json" };

/** What this sandbox does where the contract is silent, for a partner to read; the ids are those of the declarations. */
export type DecisionId = keyof typeof sentences;

export const decisionIds = Object.keys(sentences) as DecisionId[];

/** The switch of a world that gives another answer than the decision's own. */
const switchOf = (id: DecisionId): PolicyName | null =>
  policyNames.find((name) => policyQuestions[name].decision === id) ?? null;

export const isDecision = (id: string): id is DecisionId => id in sentences;

const switchNote = (id: DecisionId): string => {
  const name = switchOf(id);
  if (!name) return "";
  const [first, ...others] = policyChoices[name].map((choice) => `\`${choice}\``);
  return ` The setting is \`${name}\` = ${first}; a world can use ${others.join(" or ")} instead.`;
};

/** The decision in words, with the switch that changes it. @throws when the declarations name one that is not there */
export const decisionText = (id: string): string => {
  if (!isDecision(id)) throw new Error(`the declarations name ${id}, which has no sentence in decisions.json`);
  return sentences[id] + switchNote(id);
};

/** A decision in words, and the switch of a world that gives another answer. */
export const getDecision = (id: DecisionId): { readonly meaning: string; readonly policy: PolicyName | null } => ({
  meaning: sentences[id],
  policy: switchOf(id),
});

/** Every decision in words, by its id. */
export const decisionTexts = (): Record<string, string> =>
  Object.fromEntries(decisionIds.map((id) => [id, decisionText(id)]));

/** Decisions as a list in Markdown. */
export const decisionList = (decisions: readonly string[]): string =>
  decisions.map((id) => `- **${id}**: ${decisionText(id)}`).join("\n");

/** What this sandbox decided about an operation, as the end of its description; nothing where nothing is decided. */
export const decisionNotes = (decisions: readonly string[]): string =>
  decisions.length === 0 ? "" : `\n\nWhere the contract is silent, this sandbox assumes:\n\n${decisionList(decisions)}`;
