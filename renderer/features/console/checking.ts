import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, queryOptions, skipToken, useQuery } from "@tanstack/react-query";
import type { operationsCheck } from "../../../sandbox/contract/control/check-operations.ts";
import type { ResponseOf } from "../../../sandbox/contract/operation.ts";
import { serviceKeys } from "../../app/query-keys.ts";
import { bodyOfBytes } from "../../domain/exchange/body.ts";
import { callControl, type RawAnswer } from "../../lib/service-client.ts";
import type { Declared } from "./declarations.ts";

type Checked = ResponseOf<typeof operationsCheck>;
export type RequestCheck = NonNullable<Checked["request"]>;
export type AnswerCheck = NonNullable<Checked["answer"]>;

/** Routes that are no operation check what they take by themselves. */
const isChecked = ({ group, method }: Declared): boolean => group !== "route" && method === "POST";

/** What the service finds in a body before it is sent. It does not depend on the world, and never changes. */
const requestCheckQuery = (declared: Declared, body: string) =>
  queryOptions({
    queryKey: [...serviceKeys.declarations, "check", declared.id, body],
    queryFn: isChecked(declared)
      ? async ({ signal }): Promise<RequestCheck | null> =>
          (await callControl("operations.check", { operation: declared.id, body }, { signal })).request
      : skipToken,
    placeholderData: keepPreviousData,
    gcTime: 60_000,
  });

/** The same, a moment after the last letter. `isCurrent`: it is about this very text. */
export const useRequestCheck = (declared: Declared, body: string) => {
  const [asked] = useDebouncedValue(body, 150);
  const { data, isPlaceholderData } = useQuery(requestCheckQuery(declared, asked));
  return { check: data ?? null, isCurrent: asked === body && !isPlaceholderData };
};

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
