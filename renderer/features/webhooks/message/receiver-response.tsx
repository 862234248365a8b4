import { Stack, Text } from "@mantine/core";
import type { Attempt } from "../../../../sandbox/contract/control/rows.ts";
import { HeadersView } from "../../../components/headers-view.tsx";
import { JsonView } from "../../../components/json-view.tsx";
import { decodeBody } from "../../../domain/exchange/body.ts";
import { HexView } from "../../../domain/exchange/hex-view.tsx";
import { TextBytes } from "../../../domain/exchange/text-bytes.tsx";
import { formatBytes } from "../../../lib/formatting.ts";
import styles from "./message.module.css";

type ResponseFields = Pick<
  Attempt,
  "response_headers" | "response_body_base64" | "response_truncated" | "error" | "certificate"
>;

const Body = ({ response, label }: { response: ResponseFields; label: string }) => {
  const { bytes, text, json } = decodeBody(response.response_body_base64);
  const length = formatBytes(bytes.length);
  if (bytes.length === 0)
    return (
      <Text component="p" variant="aside">
        {response.response_truncated ? "The body didn’t arrive." : "The body is empty."}
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
      {response.response_truncated && (
        <Text component="p" variant="aside">
          {response.error === null ? `Only the first ${length} are kept.` : `The response ended after ${length}.`}
        </Text>
      )}
    </div>
  );
};

/**
 * A receiver's response: its decoded body and its headers.
 * @param props.label "response to attempt 2"
 * @param props.number position among the responses shown together
 */
export const ReceiverResponse = ({
  of: response,
  label,
  number = 1,
}: {
  of: ResponseFields;
  label: string;
  number?: number;
}) => (
  <Stack className={styles.answer}>
    {response.certificate !== undefined && (
      <Text component="p" variant="aside">
        The certificate was not checked, as the receiver is local: {response.certificate}.
      </Text>
    )}
    <Body response={response} label={number === 1 ? "Response body" : `Response body ${number}`} />
    <details>
      <Text component="summary" variant="note">
        Headers <Text c="dimmed">{response.response_headers.length}</Text>
      </Text>
      <HeadersView headers={response.response_headers} label={`Headers of the ${label}`} />
    </details>
  </Stack>
);
