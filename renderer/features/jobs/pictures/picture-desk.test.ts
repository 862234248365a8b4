import { describe, expect, it } from "vitest";
import { adding, createDesk, type PictureEdit, puttingBack, removing } from "./picture-desk.ts";

const settled = () => new Promise((resolve) => setTimeout(resolve));

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

describe("the desk of a job's pictures", () => {
  it("writes one change behind the other, so that none undoes another", async () => {
    let stored: readonly string[] = ["a"];
    const desk = createDesk({
      prepare: async ({ name }) => ({ upload_url: "/up", public_url: name }),
      put: async () => {},
      write: async (edit) => {
        const read = stored;
        await settled();
        stored = edit(read);
      },
    });
    desk.change(removing("a"));
    desk.uploader.add([new File([], "b")]);
    desk.change(adding(["c"]));
    expect(desk.state().isWriting).toBe(true);
    for (let i = 0; i < 8; i++) await settled();
    expect([stored.toSorted(), desk.state().isWriting]).toEqual([["b", "c"], false]);
  });

  it("keeps a change that was refused, to write it again or give it up", async () => {
    const written: PictureEdit[] = [];
    let refuse = true;
    const desk = createDesk({
      prepare: () => Promise.reject(new Error("not asked")),
      put: async () => {},
      write: async (edit) => {
        if (refuse) throw new Error("/images must not have more than 100 items");
        written.push(edit);
      },
    });
    const edit = adding(["b"]);
    desk.change(edit);
    await settled();
    expect(desk.state().refused?.error.message).toContain("100 items");
    refuse = false;
    desk.again();
    expect(desk.state().refused).toBeNull();
    await settled();
    expect(written).toEqual([edit]);
  });
});
