import { describe, expect, test } from "vitest";
import { readCommandLine } from "./command-line.ts";
import { preventable, refuseUnknownOptions, StrictEmitter, strict } from "./not-stood-in.ts";

describe("what the stand-in does not have", () => {
  const app = strict("app", Object.assign(new StrictEmitter("app", ["ready"]), { getName: () => "Explorer" }));

  test("a member throws with its name, read or written", () => {
    expect(app.getName()).toBe("Explorer");
    expect(() => Reflect.get(app, "dock")).toThrow("app.dock is not stood in for");
    expect(() => Reflect.set(app, "dock", {})).toThrow("app.dock is not stood in for");
  });

  test("an event that never comes throws, instead of never coming", () => {
    const heard: string[] = [];
    app.once("ready", () => heard.push("ready"));
    app.emit("ready");
    app.emit("ready");
    expect(heard).toEqual(["ready"]);
    expect(() => app.on("accessibility-support-changed", () => {})).toThrow('"accessibility-support-changed"');
  });

  test("an option that nothing reads throws with its name", () => {
    expect(() => refuseUnknownOptions("BrowserWindow", { width: 1, frame: false }, ["width"])).toThrow(
      "BrowserWindow.frame",
    );
  });

  test("a prevented event says so", () => {
    const event = preventable({ url: "https://example.test/" });
    event.preventDefault();
    expect(event).toMatchObject({ defaultPrevented: true, url: "https://example.test/" });
  });
});

describe("the command line", () => {
  test("switches count wherever they stand, and the first other argument is the app", () => {
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

  test("what stands after -- is the app's own, be it a link, a file or the name of a switch", () => {
    const { switches, appFolder } = readCommandLine(["--flag", "--", "integrations-explorer://jobs", "--inspect=0"]);
    expect([...switches]).toEqual([["flag", ""]]);
    expect(appFolder).toBeNull();
  });
});
