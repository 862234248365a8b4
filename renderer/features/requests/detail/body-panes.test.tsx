// @vitest-environment jsdom
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import type { RequestDetail } from "../../../../sandbox/contract/control/rows.ts";
import { show } from "../../../testing/shown.tsx";
import { AnswerPane } from "./body-panes.tsx";

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
