import { afterEach, expect, it } from "vitest";
import { discardUpload, sendPictures, type UploadMethods, useUploads } from "./uploads.ts";

const picture = (name: string, size = 10) => new File([new Uint8Array(size)], name);
const uploads = () => useUploads.getState().uploads;
const said = () => uploads().map(({ file, error }) => [file.name, error?.message ?? null]);

afterEach(() => {
  for (const upload of uploads()) discardUpload(upload);
});

/** A service that accepts all files except those in `refused`. */
const made = ({ refused = "", ...other }: Partial<UploadMethods> & { refused?: string } = {}) => {
  const arrived: (readonly string[])[] = [];
  const ways: UploadMethods = {
    prepare: async ({ name }) => ({ upload_url: `/up/${name}`, public_url: `/media/${name}` }),
    put: async (_address, { name }) => {
      if (name === refused) throw new Error("415: no image");
    },
    onArrived: (urls) => arrived.push(urls),
    ...other,
  };
  return { arrived, add: (...files: readonly File[]) => sendPictures("job", files, ways) };
};

it("reports the successful uploads of a batch together and in order, and keeps failed ones with their reason", async () => {
  const { arrived, add } = made({ refused: "b" });
  await add(picture("a"), picture("b"), picture("c"));
  expect(arrived).toEqual([["/media/a", "/media/c"]]);
  expect(said()).toEqual([["b", "415: no image"]]);
});

it("skips pictures above the service's size limit", async () => {
  const { arrived, add } = made();
  await add(picture("huge", 20 * 1024 * 1024 + 1));
  expect(arrived).toEqual([]);
  expect(said()).toEqual([["huge", "The image is larger than 20 MiB, so the service refuses it with 413."]]);
});

it("shows progress, stops when dismissed, and warns before the page closes meanwhile", async () => {
  let tell = (_bytes: number) => undefined as void;
  const { arrived, add } = made({
    put: (_address, _file, { signal, onSent }) => {
      tell = onSent;
      return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    },
  });
  const sending = add(picture("slow"));
  await new Promise((resolve) => setTimeout(resolve));
  tell(4);
  expect(uploads().map(({ sentBytes }) => sentBytes)).toEqual([4]);
  expect(globalThis.onbeforeunload).toBeTypeOf("function");
  for (const upload of uploads()) discardUpload(upload);
  await sending;
  expect(uploads()).toEqual([]);
  expect(arrived).toEqual([]);
  expect(globalThis.onbeforeunload).toBeNull();
});
