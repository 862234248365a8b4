import { CommanderError } from "commander";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { readSoakOptions } from "./options.ts";

describe("the soak's command line", () => {
  beforeEach(() => {
    for (const stream of [process.stdout, process.stderr]) vi.spyOn(stream, "write").mockReturnValue(true);
  });

  it("asks for an hour and any chance when nothing is said", () => {
    expect(readSoakOptions([])).toEqual({ minutes: 60, seed: null });
  });

  it("takes minutes, also parts of one, and a seed", () => {
    expect(readSoakOptions(["--minutes", "0.5", "--seed", "7"])).toEqual({ minutes: 0.5, seed: 7 });
  });

  it.each([["--minutes", "0"], ["--minutes", "soon"], ["--seed", "-1"], ["--seed", "x"], ["--hours", "1"], ["more"]])(
    "refuses %s %s",
    (...argv) => {
      expect(() => readSoakOptions(argv)).toThrow(CommanderError);
    },
  );
});
