import { describe, expect, it } from "vitest";
import { ServiceFailure } from "../../../lib/service-failure.ts";
import { createUploader, type UploaderWays } from "./uploader.ts";

const picture = (name: string, size = 10) => new File([new Uint8Array(size)], name);
const settled = () => new Promise((resolve) => setTimeout(resolve));

/** A service that answers an upload when it is told to. */
const made = (ways: Partial<UploaderWays> = {}) => {
  const arrived: (readonly string[])[] = [];
  const asked: string[] = [];
  const answers = new Map<
    string,
    { resolve: () => void; reject: (error: Error) => void; onSent: (n: number) => void }
  >();
  const uploader = createUploader({
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
    ...ways,
  });
  const answer = (name: string) => {
    const found = answers.get(name);
    if (!found) throw new Error(`${name} is not being sent`);
    return found;
  };
  return {
    uploader,
    arrived,
    asked,
    answers,
    answer,
    states: () => uploader.list().map(({ file, state }) => [file.name, state]),
  };
};

describe("pictures on their way", () => {
  it("are handed over together, in the order they were added, when the last has arrived", async () => {
    const { uploader, arrived, answer, states } = made();
    uploader.add([picture("a"), picture("b")]);
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
    const { uploader, answer } = made();
    let told = 0;
    uploader.subscribe(() => {
      told += 1;
    });
    uploader.add([picture("a", 100)]);
    await settled();
    const before = told;
    answer("a").onSent(40);
    expect([uploader.list()[0]?.sentBytes, told - before]).toEqual([40, 1]);
  });

  it("go three at a time", async () => {
    const { uploader, answers, answer } = made();
    uploader.add(["a", "b", "c", "d", "e"].map((name) => picture(name)));
    await settled();
    expect([...answers.keys()]).toEqual(["a", "b", "c"]);
    answer("b").resolve();
    await settled();
    expect([...answers.keys()]).toEqual(["a", "b", "c", "d"]);
  });

  it("leave behind the one that was refused, with the service's words, and retry it at a new address", async () => {
    const { uploader, arrived, asked, answer, states } = made();
    uploader.add([picture("a"), picture("b")]);
    await settled();
    answer("a").reject(new ServiceFailure(415, "unsupported_media_type", "The content is no image."));
    answer("b").resolve();
    await settled();
    expect(arrived).toEqual([["/media/b"]]);
    expect(states()).toEqual([["a", "failed"]]);
    const [failed] = uploader.list();
    expect(failed?.error?.message).toBe("The content is no image.");
    uploader.retry(failed?.id ?? 0);
    await settled();
    expect([asked, failed && uploader.list()[0]?.error]).toEqual([["a", "b", "a"], null]);
    answer("a").resolve();
    await settled();
    expect([arrived, states()]).toEqual([[["/media/b"], ["/media/a"]], []]);
  });

  it("can be stopped, also before their turn, and what is stopped does not keep the others", async () => {
    const { uploader, arrived, answers, answer, states } = made();
    uploader.add(["a", "b", "c", "d"].map((name) => picture(name)));
    await settled();
    const idOf = (name: string) => uploader.list().find(({ file }) => file.name === name)?.id ?? 0;
    uploader.cancel(idOf("d"));
    expect(uploader.list().map(({ file }) => file.name)).toEqual(["a", "b", "c"]);
    uploader.cancel(idOf("a"));
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
    const { uploader, states } = made({
      prepare: () => Promise.reject(new ServiceFailure(422, "unprocessable", "no")),
    });
    uploader.add([picture("a")]);
    await settled();
    expect(states()).toEqual([["a", "failed"]]);
    uploader.cancelAll();
    expect(states()).toEqual([]);
  });

  it("that arrive without an address to show them from have failed", async () => {
    const { uploader, arrived } = made({
      prepare: async () => ({ upload_url: "/up", public_url: null }),
      put: async () => {},
    });
    uploader.add([picture("a")]);
    await settled();
    expect([arrived, uploader.list()[0]?.state]).toEqual([[], "failed"]);
  });
});
