import { afterEach, describe, expect, it } from "vitest";
import { ServiceFailure } from "../../../lib/service-failure.ts";
import { forget, sendAgain, sendPictures, type UploadWays, useUploads } from "./uploads.ts";

const picture = (name: string, size = 10) => new File([new Uint8Array(size)], name);
const settled = () => new Promise((resolve) => setTimeout(resolve));

const uploads = () => useUploads.getState().uploads;
const states = () => uploads().map(({ file, state }) => [file.name, state]);
const stop = (name: string) => forget(uploads().filter(({ file }) => file.name === name));

afterEach(() => forget(uploads()));

/** A service that answers an upload when it is told to. */
const made = (other: Partial<UploadWays> = {}) => {
  const arrived: (readonly string[])[] = [];
  const asked: string[] = [];
  const answers = new Map<
    string,
    { resolve: () => void; reject: (error: Error) => void; onSent: (n: number) => void }
  >();
  const ways: UploadWays = {
    prepare: async ({ name }) => {
      asked.push(name);
      return { upload_url: `/up/${asked.length}`, public_url: `/media/${name}` };
    },
    put: (_address, { name }, { signal, onSent }) =>
      new Promise<void>((resolve, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
        answers.set(name, { resolve, reject, onSent });
      }),
    onArrived: (urls) => arrived.push(urls),
    ...other,
  };
  const answer = (name: string) => {
    const found = answers.get(name);
    if (!found) throw new Error(`${name} is not being sent`);
    return found;
  };
  const add = (files: readonly File[]) => sendPictures("job", files, ways);
  return { ways, add, arrived, asked, answers, answer };
};

describe("pictures on their way", () => {
  it("are sent three at a time, however many batches there are", async () => {
    const { add, answer, asked, arrived } = made();
    for (const one of ["a", "b", "c"]) add([picture(`${one}1`), picture(`${one}2`)]);
    await settled();
    expect(asked).toEqual(["a1", "a2", "b1"]);
    answer("a2").resolve();
    await settled();
    expect(asked).toEqual(["a1", "a2", "b1", "b2"]);
    for (const name of ["a1", "b1", "b2", "c1", "c2"]) {
      answer(name).resolve();
      await settled();
    }
    expect(arrived).toEqual([
      ["/media/a1", "/media/a2"],
      ["/media/b1", "/media/b2"],
      ["/media/c1", "/media/c2"],
    ]);
  });

  it("are handed over together, in the order they were added, when the last has arrived", async () => {
    const { add, arrived, answer } = made();
    add([picture("a"), picture("b")]);
    await settled();
    answer("b").resolve();
    await settled();
    expect([arrived, states()]).toEqual([
      [],
      [
        ["a", "sending"],
        ["b", "sent"],
      ],
    ]);
    answer("a").resolve();
    await settled();
    expect([arrived, states()]).toEqual([[["/media/a", "/media/b"]], []]);
  });

  it("tell how far they are", async () => {
    const { add, answer } = made();
    let told = 0;
    useUploads.subscribe(() => {
      told += 1;
    });
    add([picture("a", 100)]);
    await settled();
    const before = told;
    answer("a").onSent(40);
    expect([uploads()[0]?.sentBytes, told - before]).toEqual([40, 1]);
  });

  it("go three at a time", async () => {
    const { add, answers, answer } = made();
    add(["a", "b", "c", "d", "e"].map((name) => picture(name)));
    await settled();
    expect([...answers.keys()]).toEqual(["a", "b", "c"]);
    answer("b").resolve();
    await settled();
    expect([...answers.keys()]).toEqual(["a", "b", "c", "d"]);
  });

  it("leave behind the one that was refused, with the service's words, and retry it at a new address", async () => {
    const { ways, add, arrived, asked, answer } = made();
    add([picture("a"), picture("b")]);
    await settled();
    answer("a").reject(new ServiceFailure(415, "unsupported_media_type", "The content is no image."));
    answer("b").resolve();
    await settled();
    expect(arrived).toEqual([["/media/b"]]);
    expect(states()).toEqual([["a", "failed"]]);
    const [failed] = uploads();
    expect(failed?.error?.message).toBe("The content is no image.");
    if (failed) sendAgain(failed, ways);
    await settled();
    expect([asked, failed && uploads()[0]?.error]).toEqual([["a", "b", "a"], null]);
    answer("a").resolve();
    await settled();
    expect([arrived, states()]).toEqual([[["/media/b"], ["/media/a"]], []]);
  });

  it("can be stopped, also before their turn, and what is stopped does not keep the others", async () => {
    const { add, arrived, answers, answer } = made();
    add(["a", "b", "c", "d"].map((name) => picture(name)));
    await settled();
    stop("d");
    expect(uploads().map(({ file }) => file.name)).toEqual(["a", "b", "c"]);
    stop("a");
    await settled();
    expect([...answers.keys()]).not.toContain("d");
    expect(states()).toEqual([
      ["b", "sending"],
      ["c", "sending"],
    ]);
    answer("b").resolve();
    answer("c").resolve();
    await settled();
    expect(arrived).toEqual([["/media/b", "/media/c"]]);
  });

  it("that failed are forgotten when they are given up", async () => {
    const { add } = made({
      prepare: () => Promise.reject(new ServiceFailure(422, "unprocessable", "no")),
    });
    add([picture("a")]);
    await settled();
    expect(states()).toEqual([["a", "failed"]]);
    forget(uploads());
    expect(states()).toEqual([]);
  });

  it("that arrive without an address to show them from have failed", async () => {
    const { add, arrived } = made({
      prepare: async () => ({ upload_url: "/up", public_url: null }),
      put: async () => {},
    });
    add([picture("a")]);
    await settled();
    expect([arrived, uploads()[0]?.state]).toEqual([[], "failed"]);
  });
});
