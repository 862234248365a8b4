import { useMutation } from "@tanstack/react-query";
import { type Policies, type PolicyName, policyLabels } from "../../../sandbox/contract/control/policies.ts";
import { hrefs } from "../../kernel/addresses/hrefs.ts";
import { notify } from "../../kernel/notices/notices.tsx";
import { useChanged } from "../../kernel/queries/changes.ts";
import { useWorld } from "../../kernel/world/world.ts";
import { callControl } from "../../lib/service-client.ts";

/** Label of a setting's value. */
export const wordsFor = (name: PolicyName, value: string): string => {
  const words: Readonly<Record<string, string>> = policyLabels[name];
  return words[value] ?? value;
};

/** Changes settings of this world. */
export const useSetPolicies = () => {
  const world = useWorld();
  const changed = useChanged();
  return useMutation({
    mutationFn: (policies: Partial<Policies>) => callControl("policies.set", { world, policies }),
    onSuccess: (_answer, policies) => {
      const set = Object.entries(policies) as [PolicyName, string][];
      const words =
        set.length === 1 ? set.map(([name, value]) => wordsFor(name, value)) : ["all settings reset to defaults"];
      notify.done({
        title: `${world}: ${words[0]}`,
        detail: "This applies to new calls.",
        from: { href: hrefs.world(world), world },
      });
      return changed(["policies"]);
    },
    onError: (error) => notify.failed("Change setting", error),
  });
};
