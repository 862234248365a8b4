// @vitest-environment jsdom
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, expect, it } from "vitest";
import { parsed, withValue, writtenIn } from "../../lib/json-text.ts";
import { show } from "../../testing/shown.tsx";
import { type Fields, fieldsOf } from "./fields.ts";
import { BodyForm } from "./form.tsx";

afterEach(cleanup);

const fields: Fields = fieldsOf(
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
const Form = ({ begun, isStale = false }: { begun: string; isStale?: boolean }) => {
  const [text, setText] = useState(begun);
  body = text;
  return (
    <BodyForm
      {...{ operation: "x", fields, findings: [], pointer: null, isStale, onPointer: () => undefined }}
      value={parsed(text)?.value}
      writtenAt={writtenIn(text)}
      onWrite={(path, value, order) => setText(withValue(text, path, value, order))}
    />
  );
};

it("a number can be typed digit by digit, and stays as it was typed", () => {
  show(<Form begun='{"price":1,"names":[]}' />);
  const field = screen.getByLabelText<HTMLInputElement>("Price");
  for (const typed of ["0", "0.", "0.0", "0.05", "12345678901234567890", "1e400"]) {
    fireEvent.change(field, { target: { value: typed } });
    expect(field.value).toBe(typed);
  }
  expect(body).toBe('{"price":1e400,"names":[]}');
});

it("an item keeps its field when one before it is taken away", () => {
  show(<Form begun='{"price":1,"names":["a","b","c"]}' />);
  const second = screen.getByLabelText<HTMLInputElement>("Name 2");
  fireEvent.click(screen.getByRole("button", { name: "Take Name 1 away" }));
  expect(JSON.parse(body)).toEqual({ price: 1, names: ["b", "c"] });
  expect(screen.getByLabelText("Name 1")).toBe(second);
  expect(second.value).toBe("b");
});

it("leaves a field out, writes null, and puts a field in where it is declared", () => {
  show(<Form begun='{"claim":"C-1","price":1,"names":[]}' />);
  fireEvent.click(screen.getByRole("button", { name: "Claim: null" }));
  expect(JSON.parse(body)).toEqual({ claim: null, price: 1, names: [] });
  fireEvent.click(screen.getByRole("button", { name: "Leave Claim out" }));
  expect(JSON.parse(body)).toEqual({ price: 1, names: [] });
  fireEvent.click(screen.getByRole("button", { name: "Claim" }));
  expect(Object.keys(JSON.parse(body))).toEqual(["price", "names", "claim"]);
});

it("shows some of a long list, more when asked, and what is added", () => {
  const names = Array.from({ length: 60 }, (_, index) => `n${index}`);
  show(<Form begun={JSON.stringify({ price: 1, names })} />);
  expect(screen.getByText(/^8 of 60 shown/)).toBeDefined();
  expect(screen.queryByLabelText("Name 16")).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: "Show more" }));
  expect(screen.getByLabelText("Name 16")).toBeDefined();
  fireEvent.click(screen.getByRole("button", { name: "Add one" }));
  expect(JSON.parse(body).names).toHaveLength(61);
});

it("keeps what it showed while the text is no JSON, and takes nothing", () => {
  show(<Form begun='{"price":1,"names":["a"]}' isStale />);
  const name = screen.getByLabelText<HTMLInputElement>("Name 1");
  expect(name.value).toBe("a");
  expect(name.matches(":disabled")).toBe(true);
});
