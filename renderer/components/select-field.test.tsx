// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { show } from "../testing/shown.tsx";
import { SelectField } from "./select-field.tsx";

afterEach(cleanup);

it("opens its searchable list on click, not on focus", () => {
  const options = Array.from({ length: 9 }, (_, index) => ({ value: `${index}`, label: `Option ${index}` }));
  show(<SelectField label="Operation" value="0" options={options} onChange={() => undefined} />);
  const field = screen.getByRole("combobox", { name: "Operation" });
  act(() => field.focus());
  expect(field.getAttribute("aria-expanded")).toBe("false");
  fireEvent.click(field);
  expect(field.getAttribute("aria-expanded")).toBe("true");
});
