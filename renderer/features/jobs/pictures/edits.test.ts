import { describe, expect, it } from "vitest";
import { adding, puttingBack, removing } from "./edits.ts";

describe("edits of a job's pictures", () => {
  it("add behind what is there, and nothing twice", () => {
    expect(adding(["b", "c"])(["a", "b"])).toEqual(["a", "b", "c"]);
  });

  it("take one away and put it back where it was, in what others have made of them meanwhile", () => {
    expect(removing("b")(["a", "b", "c"])).toEqual(["a", "c"]);
    expect(puttingBack("b", 1)(["a", "c"])).toEqual(["a", "b", "c"]);
    expect(puttingBack("b", 1)([])).toEqual(["b"]);
    expect(puttingBack("b", 1)(["b", "a"])).toEqual(["b", "a"]);
  });
});
