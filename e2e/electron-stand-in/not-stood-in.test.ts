import { describe, expect, test } from "vitest";
import { readCommandLine } from "./command-line.ts";
import { preventable, refuseUnknownOptions, StrictEmitter, strict } from "./not-stood-in.ts";

describe("outside the stand-in's scope", () => {
  const app = strict("app", Object.assign(new StrictEmitter("app", ["ready"]), { getName: () => "Explorer" }));

  test("reading or writing a missing member throws with its name", () => {
    expect(app.getName()).toBe("Explorer");
    expect(() => Reflect.get(app, "dock")).toThrow("app.dock is not stood in for");
    expect(() => Reflect.set(app, "dock", {})).toThrow("app.dock is not stood in for");
  });

  test("listening for an unsupported event throws", () => {
    const heard: string[] = [];
    app.once("ready", () => heard.push("ready"));
    app.emit("ready");
    app.emit("ready");
    expect(heard).toEqual(["ready"]);
    expect(() => app.on("accessibility-support-changed", () => {})).toThrow('"accessibility-support-changed"');
  });

  test("an unknown option throws with its name", () => {
    expect(() => refuseUnknownOptions("BrowserWindow", { width: 1, frame: false }, ["width"])).toThrow(
      "BrowserWindow.frame",
    );
  });

  test("a prevented event reports it", () => {
    const event = preventable({ url: "https://example.test/" });
    event.preventDefault();
    expect(event).toMatchObject({ defaultPrevented: true, url: "https://example.test/" });
  });
});

describe("the command line", () => {
  test("reads switches anywhere, and the first other argument as the app", () => {
    const { switches, preloads, appFolder } = readCommandLine([
      "-r",
      "/a.cjs",
      "--inspect=0",
      "/app",
      "--flag",
      "file",
    ]);
    expect([...switches]).toEqual([
      ["inspect", "0"],
      ["flag", ""],
    ]);
    expect({ preloads, appFolder }).toEqual({ preloads: ["/a.cjs"], appFolder: "/app" });
  });

  test("passes everything after -- to the app, including names of switches", () => {
    const { switches, appFolder } = readCommandLine(["--flag", "--", "integrations-explorer://jobs", "--inspect=0"]);
    expect([...switches]).toEqual([["flag", ""]]);
    expect(appFolder).toBeNull();
  });
});
