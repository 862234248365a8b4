// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, expect, it } from "vitest";
import type { Retention } from "../../../sandbox/contract/control/world-operations.ts";
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

it("keeps a typed limit while another window changes the other one", () => {
  let change: (to: Retention) => void = () => undefined;
  const Window = () => {
    const [retention, setRetention] = useState({ max_age_hours: 24, max_megabytes: 256 });
    change = setRetention;
    return <RetentionSetting retention={retention} />;
  };
  show(<Window />);
  const values = () => ["Hours", "MiB"].map((name) => screen.getByLabelText<HTMLInputElement>(name).value);
  fireEvent.change(screen.getByLabelText("Hours"), { target: { value: "99" } });
  act(() => change({ max_age_hours: 48, max_megabytes: 300 }));
  expect(values()).toEqual(["99", "300"]);
});
