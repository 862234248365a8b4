import { queryOptions, skipToken } from "@tanstack/react-query";
import type { operationsCheck } from "../../../sandbox/contract/control/check-operations.ts";
import type { ResponseOf } from "../../../sandbox/contract/operation.ts";
import { serviceKeys } from "../../app/query-keys.ts";
import { bodyOfBytes } from "../../domain/exchange/body.ts";
import type { Declared } from "../../domain/exchange/declarations.ts";
import { callControl, type RawAnswer } from "../../lib/service-client.ts";

type AnswerCheck = NonNullable<ResponseOf<typeof operationsCheck>["answer"]>;

/** Routes that are no operation check what they take by themselves. */
export const isChecked = ({ group, method }: Declared): boolean => group !== "route" && method === "POST";

/** Whether an answer has the shape that is declared. */
export const answerCheckQuery = (declared: Declared, answer: RawAnswer | null) => {
  const text = answer && bodyOfBytes(answer.bytes).text;
  return queryOptions({
    queryKey: [...serviceKeys.declarations, "answer", declared.id, answer?.requestId ?? "", answer?.status ?? 0, text],
    queryFn:
      answer && text !== undefined && text !== null && isChecked(declared)
        ? async ({ signal }): Promise<AnswerCheck | null> => {
            const asked = { operation: declared.id, answer: { status: answer.status, body: text } };
            return (await callControl("operations.check", asked, { signal })).answer;
          }
        : skipToken,
    gcTime: 60_000,
  });
};
