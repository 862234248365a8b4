import { describe, expect, test } from "vitest";
import { addressInLink, linkOnCommandLine, linkTo } from "./deep-link.ts";

describe("a link to the desktop app", () => {
  test.each([
    ["integrations-explorer://jobs/1/basket", "/jobs/1/basket"],
    ["integrations-explorer:///jobs/1", "/jobs/1"],
    ["INTEGRATIONS-EXPLORER://webhooks/1?world=qa", "/webhooks/1?world=qa"],
    ["integrations-explorer://jobs/", "/jobs"],
    ["integrations-explorer://overview", "/"],
    ["integrations-explorer://overview/?world=qa", "/?world=qa"],
    ["integrations-explorer://", "/"],
  ])("opens a place: %s", (link, address) => {
    expect(addressInLink(link)).toBe(address);
  });

  test.each([
    "",
    "integrations-explorer",
    "integrations-explorer:jobs",
    "integrations-explorer:/jobs",
    "integrations-explorer:////jobs",
    "integrations-explorer:///\\example.test",
    "integrations-explorer://https://example.test/",
    "integrations-explorer://example.test/jobs",
    "integrations-explorer://user:word@jobs/1",
    "integrations-explorer://jobs:80/1",
    "integrations-explorer://overview/jobs",
    "integrations-explorer://overviews",
    "integrations-explorer://jobs/../../__oauth/authorize",
    "integrations-explorer://__oauth/authorize?client_id=x&redirect_uri=http://127.0.0.1:1/",
    "integrations-explorer://jobs#token=stolen",
    "integrations-explorer://#token=stolen",
    "integrations-explorer://jobs?token=stolen",
    "integrations-explorer://javascript:alert(1)",
    'integrations-explorer://jobs" --data-folder=/tmp/x',
    "integrations-explorer://jobs\n--inspect=0",
    "integrations-explorer2://jobs",
    "x integrations-explorer://jobs",
    "http://127.0.0.1:4026/jobs",
    "file:///etc/passwd",
  ])("opens nothing: %s", (link) => {
    expect(addressInLink(link)).toBeNull();
  });

  test.each(["/", "/?world=qa", "/jobs", "/jobs/1/basket?world=qa"])("exists for every address: %s", (address) => {
    expect(addressInLink(linkTo(address))).toBe(address);
  });

  test("is found anywhere on a command line", () => {
    const link = "integrations-explorer://jobs/1";
    expect(linkOnCommandLine(["/app", "--", link])).toBe(link);
    expect(linkOnCommandLine(["/app", "--allow-file-access", link, "--original-process-start-time=1"])).toBe(link);
    expect(linkOnCommandLine(["/app", "."])).toBeNull();
  });
});
