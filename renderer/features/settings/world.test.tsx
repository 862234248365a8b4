// @vitest-environment jsdom
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { show } from "../../testing/shown.tsx";
import { RetentionSetting } from "./world.tsx";

afterEach(cleanup);

it("refuses a retention outside its bounds", () => {
  show(<RetentionSetting retention={{ max_age_hours: 24, max_megabytes: 256 }} />);
  const fill = (name: string, value: string) => fireEvent.change(screen.getByLabelText(name), { target: { value } });
  fill("Hours", "0");
  screen.getByText("Enter a whole number from 1 to 87600.");
  fill("Hours", "1");
  expect(screen.queryByText(/^Enter a whole number/)).toBeNull();
  fill("MiB", "65537");
  screen.getByText("Enter a whole number from 1 to 65536.");
});
