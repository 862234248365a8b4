// @vitest-environment jsdom
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, expect, it } from "vitest";
import { show } from "../testing/shown.tsx";
import { NumberField } from "./number-field.tsx";

afterEach(cleanup);

const got: (number | null)[] = [];
const Kept = ({ decimal }: { decimal: boolean }) => {
  const [value, setValue] = useState<number | null>(3);
  got.push(value);
  return <NumberField label="Seconds" value={value} onChange={setValue} decimal={decimal} />;
};
const typed = (decimal: boolean, ...texts: string[]) => {
  got.length = 0;
  show(<Kept decimal={decimal} />);
  for (const value of texts)
    fireEvent.change(screen.getByRole("spinbutton", { name: "Seconds" }), { target: { value } });
  return got;
};

it("takes decimals only if allowed", () => {
  expect(typed(true, "0.25")).toEqual([3, 0.25]);
  cleanup();
  expect(typed(false, "12.7")).toEqual([3, 12]);
});

it("is null while it is empty", () => expect(typed(false, "", "7")).toEqual([3, null, 7]));
