import { Stack, Text } from "@mantine/core";
import type { Attempt } from "../../../../sandbox/contract/control/rows.ts";
import { HeadersView } from "../../../components/headers-view.tsx";
import { JsonView } from "../../../components/json-view.tsx";
import { decodeBody } from "../../../domain/exchange/body.ts";
import { HexView } from "../../../domain/exchange/hex-view.tsx";
import { TextBytes } from "../../../domain/exchange/text-bytes.tsx";
import { formatBytes } from "../../../lib/formatting.ts";
import styles from "./message.module.css";

type Answered = Pick<
  Attempt,
  "response_headers" | "response_body_base64" | "response_truncated" | "error" | "certificate"
>;

const Body = ({ answer, label }: { answer: Answered; label: string }) => {
  const { bytes, text, json } = decodeBody(answer.response_body_base64);
  const length = formatBytes(bytes.length);
  if (bytes.length === 0)
    return (
      <Text component="p" variant="aside">
        {answer.response_truncated ? "The body didn’t arrive." : "The body is empty."}
      </Text>
    );
  return (
    <div className="wirebox">
      {typeof json === "object" && json !== null ? (
        <JsonView value={json} label={label} lineNumbers={false} />
      ) : text === undefined ? (
        <>
          <Text component="p" variant="note">
            {length}, not text in UTF-8
          </Text>
          <HexView bytes={bytes} label={label} />
        </>
      ) : (
        <TextBytes bytes={bytes} label={label} />
      )}
      {answer.response_truncated && (
        <Text component="p" variant="aside">
          {answer.error === null ? `Only the first ${length} are kept.` : `The response ended after ${length}.`}
        </Text>
      )}
    </div>
  );
};

/**
 * A receiver's response: its decoded body and its headers.
 * @param props.label "answer to attempt 2"
 * @param props.number position among the responses shown together
 */
export const Answer = ({ of: answer, label, number = 1 }: { of: Answered; label: string; number?: number }) => (
  <Stack className={styles.answer}>
    {answer.certificate !== undefined && (
      <Text component="p" variant="aside">
        The certificate was not checked, as the receiver is local: {answer.certificate}.
      </Text>
    )}
    <Body answer={answer} label={number === 1 ? "Response body" : `Response body ${number}`} />
    <details>
      <Text component="summary" variant="note">
        Headers <Text c="dimmed">{answer.response_headers.length}</Text>
      </Text>
      <HeadersView headers={answer.response_headers} label={`Headers of the ${label}`} />
    </details>
  </Stack>
);
