import { describe, expect, it, onTestFinished, vi } from "vitest";
import { registerSecrets } from "../secrets/masking.ts";
import { createLog } from "./service-log.ts";

const setUp = (format: "pretty" | "json" | "silent") => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 0, 15, 12, 30, 45, 6) });
  onTestFinished(() => void vi.useRealTimers());
  const written: string[] = [];
  return { written, log: createLog(format, (line) => written.push(line)) };
};

describe("the service's log", () => {
  it("has one JSON object per line for machines", () => {
    const { written, log } = setUp("json");
    log.info("listening", { address: "http://127.0.0.1:4026", note: "two\nlines" });
    log.info("stopped");
    expect(written.map((line) => JSON.parse(line) as unknown)).toEqual([
      {
        time: "2026-01-15T12:30:45.006Z",
        level: "info",
        message: "listening",
        address: "http://127.0.0.1:4026",
        note: "two\nlines",
      },
      { time: "2026-01-15T12:30:45.006Z", level: "info", message: "stopped" },
    ]);
    for (const line of written) expect(line.indexOf("\n")).toBe(line.length - 1);
  });

  it("has a line with time and fields for people", () => {
    const { written, log } = setUp("pretty");
    log.info("listening", { address: "http://127.0.0.1:4026", port: 4026 });
    expect(written).toEqual(["12:30:45.006 listening address=http://127.0.0.1:4026 port=4026\n"]);
  });

  it("shows where an error was thrown, whatever its type", () => {
    for (const format of ["json", "pretty"] as const) {
      const { written, log } = setUp(format);
      log.error("failed", new Error("the reason"));
      log.error("failed", "just text");
      log.error("failed", undefined);
      expect(written).toHaveLength(3);
      expect(written[0]).toMatch(/ERROR|"level":"error"/);
      expect(written[0]).toContain("Error: the reason");
      expect(written[0]).toContain("service-log.test.ts");
      expect(written[1]).toContain("just text");
    }
  });

  it("contains no secrets of this service", () => {
    const [key, token] = ["isk_1f0c9a526d3b4e879b1a2c5d7e8f9a01", "a-control-token-without-a-form-of-its-own"];
    registerSecrets([token]);
    for (const format of ["json", "pretty"] as const) {
      const { written, log } = setUp(format);
      log.error(`GET /x/${key} failed`, new Error(`no such ${token}`), { key, token });
      expect(written[0]).toMatch(/isk_•+9a01.*-own/s);
      for (const secret of [key, token]) expect(written[0]).not.toContain(secret);
    }
  });

  it("is empty when silent", () => {
    const { written, log } = setUp("silent");
    log.info("listening");
    log.error("failed", new Error("x"));
    expect(written).toEqual([]);
  });
});
