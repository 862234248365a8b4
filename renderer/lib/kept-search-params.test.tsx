// @vitest-environment jsdom
import { cleanup, render, screen } from "@testing-library/react";
import { act } from "react";
import { afterEach, expect, it } from "vitest";
import { useLocation } from "wouter";
import { choice, clearStoredFilter, searchParams, useKeptSearchParamsOf } from "./search-params.ts";

const params = searchParams({ state: choice(["open", "closed"]) });
const one = "01a1ff86-3653-4f6e-b85a-7ae8374fa8e1";

const Rows = ({ place }: { place: string }) => (
  <p>{useKeptSearchParamsOf(params, place, useLocation()[0] === `/${place}`).values.state ?? "all"}</p>
);
let go: (to: string) => void;
const Window = () => {
  const [path, navigate] = useLocation();
  go = (to) => {
    clearStoredFilter(to);
    navigate(to);
  };
  const place = path.split("/")[1] ?? "";
  return <Rows key={place} place={place} />;
};
const at = (address: string) => {
  act(() => go(address));
  return screen.getByRole("paragraph").textContent;
};

afterEach(() => {
  cleanup();
  window.history.replaceState(null, "", "/");
});

it("keeps a filter within a place and on return, and drops it for links from elsewhere", () => {
  render(<Window />);
  expect(at("/jobs?state=open")).toBe("open");
  expect(at(`/jobs/${one}`)).toBe("open");
  at("/requests");
  expect(at("/jobs")).toBe("open");
  at("/requests");
  // The opened job may not match the previous filter.
  expect(at(`/jobs/${one}`)).toBe("all");
  expect([at("/jobs"), window.location.search]).toEqual(["all", ""]);
});

it("shares one filter for the world default, with or without its name", () => {
  render(<Window />);
  at("/orders?state=closed");
  at("/requests");
  expect(at("/orders?world=default")).toBe("closed");
});
