import { describe, expect, it } from "vitest";
import { movedByKey } from "./separator.tsx";

describe("a separator", () => {
  it("is moved by keys", () => {
    const to = ["ArrowUp", "ArrowLeft", "PageDown", "Home", "End"].map((key) => movedByKey(key, 280, 120, 600));
    expect(to).toEqual([296, 264, 184, 120, 600]);
  });
  it("is left alone by other keys", () => expect(movedByKey("Enter", 280, 120, 600)).toBeNull());
});
