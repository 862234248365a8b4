// @vitest-environment jsdom
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import type { RequestDetail } from "../../../../sandbox/contract/control/rows.ts";
import type { Explanation } from "../../../domain/exchange/explanation.ts";
import { show } from "../../../testing/shown.tsx";
import { RecordedResponse, RequestBody } from "./body-panes.tsx";

afterEach(cleanup);

const answered = (bytes: string, status = 200) =>
  ({ id: "r", status, response_headers: [], response_body_base64: btoa(bytes) }) as unknown as RequestDetail;

it("shows a response as JSON and, on request, as bytes in hex", () => {
  show(<RecordedResponse detail={answered('{"ok":true}')} />);
  screen.getByRole("region", { name: "response body, JSON" });
  fireEvent.click(screen.getByRole("radio", { name: "Hex" }));
  screen.getByRole("region", { name: "response body, 11 bytes in hex" });
});

it("shows a binary response only as bytes", () => {
  show(<RecordedResponse detail={answered("\u0001\u00ff")} />);
  screen.getByRole("region", { name: "response body, 2 bytes in hex" });
  expect(screen.queryByRole("radio", { name: "JSON" })).toBeNull();
});

it("says that a rate-limited call's body was not read, instead of an unknown operation", () => {
  const refused = { id: "r", unrouted: "rate_limited", request_body_base64: "" } as unknown as RequestDetail;
  show(<RequestBody detail={refused} refusal={undefined} />);
  screen.getByText(/The call was refused before its body was read\./);
});

it("marks the character at which a body stops being JSON, with its line and column", () => {
  const text = '{\n  "identity": {"external": \'A-1\'}\n}';
  const detail = { id: "r", request_body_base64: btoa(text) } as unknown as RequestDetail;
  const refusal = { pointers: [""], place: { line: 2, column: 28 } } as unknown as Explanation["refusal"];
  show(<RequestBody detail={detail} refusal={refusal} />);
  const stopped = screen.getByRole("region", { name: "Where it stops being JSON" });
  expect(stopped.textContent).toContain("Line 2, column 28");
  expect(stopped.querySelector("mark")?.textContent).toBe("'");
  cleanup();
  const cut = { id: "r", request_body_base64: btoa("{") } as unknown as RequestDetail;
  const atEnd = { pointers: [""], place: { line: 1, column: 2 } } as unknown as Explanation["refusal"];
  show(<RequestBody detail={cut} refusal={atEnd} />);
  screen.getByText("end");
});
