// @vitest-environment jsdom
import { act, cleanup, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, expect, it } from "vitest";
import { show } from "../testing/shown.tsx";
import { List } from "./list.tsx";

afterEach(cleanup);

const keyOf = (item: string) => item;
const shown = () => {
  let change: (items: readonly string[]) => void = () => undefined;
  const Place = () => {
    const [items, setItems] = useState<readonly string[]>(["J-1", "J-2", "J-3"]);
    change = setItems;
    return (
      <>
        <button type="button">Elsewhere</button>
        <List
          of={{ items, name: "jobs" }}
          label="Jobs"
          what="the jobs"
          empty="No jobs"
          keyOf={keyOf}
          onChoose={() => undefined}
          render={(item) => item}
        />
      </>
    );
  };
  show(<Place />);
  return (...items: readonly string[]) => act(() => change(items));
};
const focused = () => document.activeElement?.textContent;
const focus = (name: string) => act(() => screen.getByRole("button", { name }).focus());

it("passes the focus of a row that leaves it to the next one, at its end to the last one", () => {
  const change = shown();
  focus("J-2");
  change("J-1", "J-3");
  expect(focused()).toBe("J-3");
  change("J-1");
  expect(focused()).toBe("J-1");
});

it("leaves the focus where it is if another row leaves, or if it is elsewhere", () => {
  const change = shown();
  focus("J-2");
  change("J-2", "J-3");
  expect(focused()).toBe("J-2");
  focus("Elsewhere");
  change("J-3");
  expect(focused()).toBe("Elsewhere");
});
