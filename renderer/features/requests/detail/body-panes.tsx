import { Box, Stack } from "@mantine/core";
import { type ReactNode, useMemo } from "react";
import type { RequestDetail } from "../../../../sandbox/contract/control/rows.ts";
import { HeadersView } from "../../../components/headers-view.tsx";
import { bodyOf } from "../../../domain/exchange/body.ts";
import { BodyPane } from "../../../domain/exchange/body-pane.tsx";
import type { Explanation } from "../../../domain/exchange/explanation.ts";

/** What is known of a body beside its bytes. */
const Notes = ({ children }: { children: ReactNode }) => (
  <Box variant="aside" component="p" py="md" px="lg">
    {children}
  </Box>
);

export const RequestBody = ({
  detail,
  refusal,
}: {
  detail: RequestDetail;
  refusal: Explanation["refusal"] | undefined;
}) => {
  const body = useMemo(() => bodyOf(detail.request_body_base64), [detail.request_body_base64]);
  const unread = detail.unrouted !== undefined && detail.unrouted !== "unreadable";
  return (
    <BodyPane
      body={body}
      label="request body"
      refusedFor={refusal?.pointers}
      fileName={`request-${detail.id}`}
      note={
        <>
          {unread && "The call was refused before its body was read. "}
          {detail.body_masked && "Secrets in it are masked."}
        </>
      }
    />
  );
};

export const AnswerPane = ({ detail }: { detail: RequestDetail }) => {
  const body = useMemo(() => bodyOf(detail.response_body_base64), [detail.response_body_base64]);
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

/** The request line and headers, as they were sent; credentials are masked by the service. */
export const RequestHeaders = ({ detail }: { detail: RequestDetail }) => (
  <Stack gap="sm" py={10} px="lg">
    <p className="code wrapped">
      <b>{detail.method}</b> {detail.path}
    </p>
    <HeadersView headers={detail.request_headers} label="Request headers" />
  </Stack>
);
