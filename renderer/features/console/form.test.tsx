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
    },
    required: ["price", "names"],
  },
  {},
);

let body = "";
const Form = ({ begun }: { begun: string }) => {
  const [text, setText] = useState(begun);
  body = text;
  return (
    <BodyForm
      {...{ operation: "x", fields, findings: [], pointer: null, isStale: false, onPointer: () => undefined }}
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
