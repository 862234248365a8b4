// @vitest-environment jsdom
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import type { RequestDetail } from "../../../../sandbox/contract/control/rows.ts";
import { show } from "../../../testing/shown.tsx";
import { AnswerPane, RequestBody } from "./body-panes.tsx";

afterEach(cleanup);

const answered = (bytes: string, status = 200) =>
  ({ id: "r", status, response_headers: [], response_body_base64: btoa(bytes) }) as unknown as RequestDetail;

it("shows an answer as JSON and, where it is asked for, as its bytes in hex", () => {
  show(<AnswerPane detail={answered('{"ok":true}')} />);
  expect(screen.getByRole("region", { name: "response body, JSON" })).toBeDefined();
  fireEvent.click(screen.getByRole("radio", { name: "Hex" }));
  expect(screen.getByRole("region", { name: "response body, 11 bytes in hex" })).toBeDefined();
});

it("shows an answer that is no text as bytes alone", () => {
  show(<AnswerPane detail={answered("\u0001\u00ff")} />);
  expect(screen.getByRole("region", { name: "response body, 2 bytes in hex" })).toBeDefined();
  expect(screen.queryByRole("radio", { name: "JSON" })).toBeNull();
});

it("says of a call that was beyond the rate limit that its body was not read, and not that there is no such operation", () => {
  const refused = { id: "r", unrouted: "rate_limited", request_body_base64: "" } as unknown as RequestDetail;
  show(<RequestBody detail={refused} refusal={undefined} />);
  expect(screen.getByText(/The call was refused before its body was read\./)).toBeDefined();
});
