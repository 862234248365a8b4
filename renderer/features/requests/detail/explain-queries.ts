import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { requestsExplain } from "../../../../sandbox/contract/control/explain-operations.ts";
import { type PolicyName, policyWords } from "../../../../sandbox/contract/control/policies.ts";
import type { ResponseOf } from "../../../../sandbox/contract/operation.ts";
import { notify } from "../../../app/notices.tsx";
import { worldKeys } from "../../../app/query-keys.ts";
import { useWorld } from "../../../app/world.ts";
import { callControl } from "../../../lib/service-client.ts";

/** Why an exchange was answered as it was, and the smallest correction that would be accepted now. */
export type Explanation = ResponseOf<typeof requestsExplain>;
export type Refusal = NonNullable<Explanation["refusal"]>;
export type Correction = NonNullable<Explanation["correction"]>;

/** What a switch may be set to, in words. */
export const wordsFor = (name: PolicyName, value: string): string => {
  const words: Readonly<Record<string, string>> = policyWords[name];
  return words[value] ?? value;
};

/** Sets the switch of a decision in this world. */
export const useSetPolicy = () => {
  const world = useWorld();
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ name, value }: { readonly name: PolicyName; readonly value: string }) =>
      callControl("policies.set", { world, policies: { [name]: value } }),
    onSuccess: (_answer, { name, value }) => {
      notify.done({ title: `This world: ${wordsFor(name, value)}`, detail: "Calls from now on are answered so." });
      return Promise.all([
        client.invalidateQueries({ queryKey: worldKeys(world).policies() }),
        client.invalidateQueries({ queryKey: worldKeys(world).requests("recent", "explain") }),
      ]);
    },
    onError: (error) => notify.failed("Set the switch", error),
  });
};
