// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { type ComponentProps, useState } from "react";
import { afterEach, expect, it } from "vitest";
import { withValue, writtenIn } from "../../lib/json-text.ts";
import { show } from "../../testing/shown.tsx";
import { type Fields, schemaFields } from "./fields.ts";
import { BodyForm } from "./form.tsx";
import { parsed } from "./json-body.ts";

afterEach(cleanup);

const fields: Fields = schemaFields(
  {
    type: "object",
    properties: {
      price: { type: "number" },
      names: { type: "array", items: { type: "string" } },
      claim: { type: ["string", "null"] },
    },
    required: ["price", "names"],
  },
  {},
);

let body = "";
const Form = ({
  begun,
  isStale = false,
  findings = [],
}: {
  begun: string;
  isStale?: boolean;
  findings?: ComponentProps<typeof BodyForm>["findings"];
}) => {
  const [text, setText] = useState(begun);
  body = text;
  return (
    <BodyForm
      {...{ operation: "x", fields, findings, pointer: null, isStale, onPointer: () => undefined }}
      value={parsed(text)?.value}
      writtenAt={writtenIn(text)}
      onWrite={(path, value, order) => setText(withValue(text, path, value, order))}
    />
  );
};

it("a number can be typed digit by digit and stays as typed", () => {
  show(<Form begun='{"price":1,"names":[]}' />);
  const field = screen.getByLabelText<HTMLInputElement>("Price");
  for (const typed of ["0", "0.", "0.0", "0.05", "12345678901234567890", "1e400"]) {
    fireEvent.change(field, { target: { value: typed } });
    expect(field.value).toBe(typed);
  }
  expect(body).toBe('{"price":1e400,"names":[]}');
});

it("a list of texts is edited text by text, with its errors beside it", () => {
  const findings = [{ pointer: "/names/1", message: "/names/1 must be shorter" }];
  show(<Form begun='{"price":1,"names":["a","b"]}' findings={findings} />);
  const names = screen.getByRole("combobox", { name: "Names" });
  expect(names.closest("[data-pointer]")?.textContent).toContain("must be shorter");
  act(() => names.focus());
  fireEvent.change(names, { target: { value: "c" } });
  fireEvent.keyDown(names, { key: "Enter" });
  expect(JSON.parse(body)).toEqual({ price: 1, names: ["a", "b", "c"] });
  fireEvent.keyDown(names, { key: "Backspace" });
  expect(JSON.parse(body)).toEqual({ price: 1, names: ["a", "b"] });
});

it("omits a field, writes null, and adds a field at its declared position", () => {
  show(<Form begun='{"claim":"C-1","price":1,"names":[]}' />);
  fireEvent.click(screen.getByRole("button", { name: "Claim: null" }));
  expect(JSON.parse(body)).toEqual({ claim: null, price: 1, names: [] });
  fireEvent.click(screen.getByRole("button", { name: "Leave Claim out" }));
  expect(JSON.parse(body)).toEqual({ price: 1, names: [] });
  fireEvent.click(screen.getByRole("button", { name: "Claim" }));
  expect(Object.keys(JSON.parse(body))).toEqual(["price", "names", "claim"]);
});

it("leaves long lists and lists of other types to the JSON editor", () => {
  const names = Array.from({ length: 60 }, (_, index) => `n${index}`);
  show(<Form begun={JSON.stringify({ price: 1, names })} />);
  expect(screen.queryByRole("combobox", { name: "Names" })).toBeNull();
  screen.getByRole("button", { name: "Edit in JSON" });
  cleanup();
  show(<Form begun='{"price":1,"names":[1]}' />);
  screen.getByRole("button", { name: "Edit in JSON" });
});

it("keeps its last values and is disabled while the text isn't JSON", () => {
  show(<Form begun='{"price":1,"names":["a"]}' isStale />);
  screen.getByText("a");
  expect(screen.getByLabelText<HTMLInputElement>("Price").matches(":disabled")).toBe(true);
});
