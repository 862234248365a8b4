import { type Policies, type PolicyName, policyLabels } from "../../../sandbox/contract/control/policies.ts";
import { hrefs } from "../../kernel/addresses/hrefs.ts";
import { notify } from "../../kernel/notices/notices.tsx";
import { useAct } from "../../kernel/queries/use-act.ts";
import { callControl } from "../../lib/service-client.ts";

/** Label of a setting's value. */
export const wordsFor = (name: PolicyName, value: string): string => {
  const words: Readonly<Record<string, string>> = policyLabels[name];
  return words[value] ?? value;
};

/** Changes settings of this world. */
export const useSetPolicies = () =>
  useAct((world, policies: Partial<Policies>) => callControl("policies.set", { world, policies }), {
    ...{ changes: ["policies"], failed: "Change setting" },
    onDone: (_answer, policies, world) => {
      const set = Object.entries(policies) as [PolicyName, string][];
      const words =
        set.length === 1 ? set.map(([name, value]) => wordsFor(name, value)) : ["all settings reset to defaults"];
      notify.done({
        title: `${world}: ${words[0]}`,
        detail: "This applies to new calls.",
        from: { href: hrefs.world(world), world },
      });
    },
  });
