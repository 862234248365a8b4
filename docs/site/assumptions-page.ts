import {
  type PolicyName,
  policyChoices,
  policyLabels,
  policyQuestions,
} from "../../sandbox/contract/control/policies.ts";
import { type DecisionId, decisionIds, getDecision, isDecision } from "../../sandbox/contract/openapi/decisions.ts";
import { type Page, pageHref, stacked, table } from "./page.ts";

const SLUG = "explanation/assumptions";

/** The address of an assumption on its page. */
const assumptionHref = (id: string): string => `${pageHref(SLUG)}#${id.toLowerCase()}`;

const settingNote = (policy: PolicyName | null): string =>
  policy === null ? "" : ` A world can change this with the setting \`${policy}\`.`;

/** Assumptions as a list, linked to their page. */
export const decisionLines = (ids: readonly string[]): string =>
  ids
    .filter(isDecision)
    .map((id) => {
      const { meaning, policy } = getDecision(id);
      return `- **[${id}](${assumptionHref(id)})** ${meaning}${settingNote(policy)}`;
    })
    .join("\n");

const choiceRows = (policy: PolicyName): string => {
  const choices: readonly string[] = policyChoices[policy];
  const words: Readonly<Record<string, string>> = policyLabels[policy];
  const { says, silent } = policyQuestions[policy];
  return stacked(
    `${says} ${silent}`,
    table(
      [`\`${policy}\``, "Result"],
      choices.map((choice, index) => [`\`${choice}\`${index === 0 ? " (default)" : ""}`, words[choice] ?? ""]),
    ),
  );
};

const assumptionEntry = (id: DecisionId): string => {
  const { meaning, policy } = getDecision(id);
  return stacked(`### ${id}`, meaning, policy === null ? "" : choiceRows(policy));
};

/** The sandbox's assumptions where the contract is silent. */
export const assumptionsPage: Page = {
  slug: SLUG,
  title: "Assumptions",
  description: "What this sandbox does where the contract is silent, and which of it a world can change.",
  body: stacked(
    "The contract leaves some questions open. The sandbox answers each of them in one way, so your tests are repeatable. " +
      "Another deployment may answer differently: check these points before you rely on them.",
    "Some assumptions are settings of a world. Change them in the explorer under **Worlds**, or with the control operation `policies.set`.",
    "## Settings",
    table(
      ["Setting", "Question", "Assumption"],
      decisionIds.flatMap((id) => {
        const { policy } = getDecision(id);
        return policy === null
          ? []
          : [[`\`${policy}\``, policyQuestions[policy].question, `[${id}](#${id.toLowerCase()})`]];
      }),
    ),
    "## All assumptions",
    ...decisionIds.map(assumptionEntry),
  ),
};
