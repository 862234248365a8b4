import { brotliDecompressSync, unzipSync } from "node:zlib";

const fromJson = (text: string): string =>
  text.replace(/\\u([0-9a-f]{4})|\\(.)/gi, (_, unit: string | undefined, other: string) =>
    unit === undefined ? other : String.fromCharCode(Number.parseInt(unit, 16)),
  );

const fromAddress = (text: string): string =>
  text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => Buffer.from(run.replaceAll("%", ""), "hex").toString());

const unpackedText = (bytes: Buffer): string[] =>
  [unzipSync, brotliDecompressSync].flatMap((unpack) => {
    try {
      return [unpack(bytes).toString()];
    } catch {
      return [];
    }
  });

/** Everything that a text says once it is read as anything it may be: JSON, an address, base64, packed bytes. */
export const readings = (text: string): string[] => {
  let layers = new Set([text]);
  for (let times = 0; times < 3; times += 1)
    layers = new Set([...layers].flatMap((layer) => [layer, fromJson(layer), fromAddress(layer)]));
  const runs = [...layers].flatMap((layer) => layer.match(/[A-Za-z0-9+/_-]{6,}/g) ?? []);
  const inside = runs.flatMap((run) => {
    const bytes = [0, 1, 2, 3].map((from) => Buffer.from(run.slice(from), "base64"));
    return [...bytes.map(String), ...bytes.slice(0, 1).flatMap(unpackedText)];
  });
  return [...layers, ...inside];
};

/** The same of each text and key of a JSON value, and of it as it is written. */
export const readingsOf = (json: unknown): string[] => {
  const texts = new Set<string>();
  const written = JSON.stringify(json, (key, value: unknown) => {
    texts.add(key);
    if (typeof value === "string") texts.add(value);
    return value;
  });
  return [written, ...[...texts].flatMap(readings)];
};
