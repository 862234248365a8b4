import { Box, Stack, Text } from "@mantine/core";
import { type ReactNode, useMemo } from "react";
import { isBodyLeftOut } from "../../../../sandbox/contract/control/exchange-kinds.ts";
import type { RequestDetail } from "../../../../sandbox/contract/control/rows.ts";
import { HeadersView } from "../../../components/headers-view.tsx";
import { decodeBody } from "../../../domain/exchange/body.ts";
import { BodyPane } from "../../../domain/exchange/body-pane.tsx";
import type { Explanation } from "../../../domain/exchange/explanation.ts";

/** Remarks about a body. */
const Notes = ({ children }: { children: ReactNode }) => (
  <Box variant="aside" component="p" py="md" px="lg">
    {children}
  </Box>
);

/** Characters shown on each side of the position. */
const CONTEXT_LENGTH = 60;

/** The line where a body stops being JSON, with the character marked; none at the body's end. */
const SyntaxErrorLine = ({
  text,
  place: { line, column },
}: {
  text: string;
  place: { line: number; column: number };
}) => {
  const lineText = text.split("\n")[line - 1] ?? "";
  const at = column - 1;
  const before = lineText.slice(Math.max(0, at - CONTEXT_LENGTH), at);
  const after = lineText.slice(at + 1, at + 1 + CONTEXT_LENGTH);
  return (
    <Box component="section" px="lg" pt="sm" aria-label="Where it stops being JSON">
      <Text variant="aside">
        Line {line}, column {column}
      </Text>
      <pre className="code wrapped">
        {at > CONTEXT_LENGTH && "…"}
        {before}
        <mark className="hit">{lineText.charAt(at) || "end"}</mark>
        {after}
        {lineText.length > at + 1 + CONTEXT_LENGTH && "…"}
      </pre>
    </Box>
  );
};

export const RequestBody = ({
  detail,
  refusal,
}: {
  detail: RequestDetail;
  refusal: Explanation["refusal"] | undefined;
}) => {
  const body = useMemo(() => decodeBody(detail.request_body_base64), [detail.request_body_base64]);
  const unread = detail.unrouted !== undefined && detail.unrouted !== "unreadable";
  return (
    <>
      {refusal?.place && body.text !== undefined && <SyntaxErrorLine text={body.text} place={refusal.place} />}
      <BodyPane
        body={body}
        label="request body"
        refusedFor={refusal?.pointers}
        fileName={`request-${detail.id}`}
        note={
          <>
            {unread && "The call was refused before its body was read. "}
            {isBodyLeftOut(detail) && "Pictures and answers to the consent page aren’t kept. "}
            {detail.body_masked && "Secrets in it are masked."}
          </>
        }
      />
    </>
  );
};

export const RecordedResponse = ({ detail }: { detail: RequestDetail }) => {
  const body = useMemo(() => decodeBody(detail.response_body_base64), [detail.response_body_base64]);
  if (detail.status === 0) return <Notes>The connection was closed without a response.</Notes>;
  return (
    <>
      <Stack gap="sm" py={10} px="lg">
        <HeadersView headers={detail.response_headers} label="Response headers" />
      </Stack>
      <BodyPane body={body} label="response body" fileName={`answer-${detail.id}`} />
    </>
  );
};

/** The request line and headers as sent; the service masks credentials. */
export const RequestHeaders = ({ detail }: { detail: RequestDetail }) => (
  <Stack gap="sm" py={10} px="lg">
    <p className="code wrapped">
      <b>{detail.method}</b> {detail.path}
    </p>
    <HeadersView headers={detail.request_headers} label="Request headers" />
  </Stack>
);
