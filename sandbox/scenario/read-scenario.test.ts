import { describe, expect, it } from "vitest";
import { BadScenarioError, checkScenario } from "./read-scenario.ts";

const scenario = (...steps: unknown[]) => ({ scenario: 1, name: "A test", steps });
const list = { call: { operation: "businesses.list", as: "repairer" } };

describe("reading a scenario", () => {
  const bad: [why: RegExp, content: unknown][] = [
    [/\/scenario is required/, {}],
    [/\/scenario 2 is from a newer version/, { ...scenario(list), scenario: 2 }],
    [/\/scenario must be 1/, { ...scenario(list), scenario: 0 }],
    [/\/steps must have at least 1/, scenario()],
    [/\/steps must have at most 20000 items/, scenario(...Array<unknown>(20_001).fill({ call: {} }))],
    [/\/steps\/0 must have exactly one of call, control, receiver, deliveries/, scenario({ name: "x" })],
    [
      /\/steps\/0 must have exactly one of|\/steps\/0\/\w+ must not be here/,
      scenario({ ...list, control: { operation: "clock.get" } }),
    ],
    [/\/steps\/0\/exepct is not a known field; did you mean expect/, scenario({ ...list, exepct: {} })],
    [/\/extra is not a known field/, { ...scenario(list), extra: 1 }],
    [
      /\/steps\/0\/call\/operation jobs\.get isn’t an operation\. Use one of /,
      scenario({ call: { operation: "jobs.get" } }),
    ],
    [/\/steps\/0\/call must have exactly one of operation, route/, scenario({ call: {} })],
    [/\/steps\/0\/call\/text must not be there beside body/, scenario({ call: { ...list.call, body: {}, text: "" } })],
    [/\/call\/base64 must not be there beside text/, scenario({ call: { ...list.call, text: "", base64: "" } })],
    [/\/call\/base64 must match/, scenario({ call: { ...list.call, base64: "no!" } })],
    [/\/call\/body must not be there with GET/, scenario({ call: { route: "/x", method: "GET", body: {} } })],
    [/\/call\/method must not be there beside operation/, scenario({ call: { ...list.call, method: "PUT" } })],
    [/\/call\/method must be/, scenario({ call: { route: "/x", method: "DELETE" } })],
    [/\/call\/route must begin with a slash, or be a reference/, scenario({ call: { route: "http://a.example/" } })],
    [/\/steps\/0\/decision must be/, scenario({ ...list, decision: "D999" })],
    [/\/steps\/0\/call\/headers\/a must be string/, scenario({ call: { ...list.call, headers: { a: 1 } } })],
    [
      /\/steps\/0\/control\/operation clock\.go can’t be used in a scenario/,
      scenario({ control: { operation: "clock.go" } }),
    ],
    ...["service.erase", "credentials.list", "worlds.delete", "runs.start", "scenarios.save", "snapshots.export"].map(
      (operation): [RegExp, unknown] => [
        new RegExp(`/control/operation ${operation} can’t be used in a scenario`),
        scenario({ control: { operation } }),
      ],
    ),
    ...["/__sandbox/service.erase", "/x/../%5f_sandbox/mcp"].map((route): [RegExp, unknown] => [
      /\/call\/route is of the control plane/,
      scenario({ call: { route } }),
    ]),
    [
      /\/call\/headers names the world default; a scenario stays in its own worlds/,
      scenario({ call: { ...list.call, headers: { "X-Sandbox-Tenant": "default" } } }),
    ],
    [
      /\/steps\/0\/control\/body\/world must not be here/,
      scenario({ control: { operation: "clock.get", body: { world: "x" } } }),
    ],
    [/\/steps\/0\/expect\/body\/a\/\$like is not known/, scenario({ ...list, expect: { body: { a: { $like: 1 } } } })],
    [/\/steps\/0\/expect\/exact must not be there beside body/, scenario({ ...list, expect: { body: {}, exact: {} } })],
    [
      /\/steps\/0 refers to \{\{job\}\}, which no earlier step saved/,
      scenario({ call: { ...list.call, body: "{{job.id}}" } }),
    ],
    [/\/steps\/1\/save mine is taken/, scenario({ ...list, save: "mine" }, { ...list, save: "mine" })],
    [
      /\/steps\/0\/deliveries\/receiver here isn’t a saved receiver/,
      scenario({ deliveries: { receiver: "here", expect: [] } }),
    ],
    [/\/steps\/0\/say must have at most 200 characters/, scenario({ ...list, say: "x".repeat(10_000) })],
    [
      /\/steps\/100\/say a story has at most 100/,
      scenario(...Array.from({ length: 101 }, () => ({ ...list, say: "One." }))),
    ],
    [/\/steps\/0\/say must match/, scenario({ ...list, say: "One line.\nAnother." })],
    [/\/steps\/0\/show\/side is required/, scenario({ ...list, save: "mine", show: { entity: "mine" } })],
    [/\/steps\/0\/show\/side must be/, scenario({ ...list, save: "mine", show: { entity: "mine", side: "all" } })],
    [
      /\/steps\/0\/show\/entity job isn’t saved by this step or an earlier one/,
      scenario({ ...list, show: { entity: "job.id", side: "both" } }, { ...list, save: "job" }),
    ],
    [
      /\/steps\/0\/show\/entity repairer isn’t saved/,
      scenario({ ...list, show: { entity: "repairer", side: "repairer" } }),
    ],
  ];

  it.each(bad)("refuses an invalid file with a sentence that names the path: %s", (why, content) => {
    expect(() => checkScenario(content)).toThrow(BadScenarioError);
    expect(() => checkScenario(content)).toThrow(why);
  });

  const recorded = {
    at: "2026-01-01T00:00:00.000Z",
    version: "1.0.0",
    world: "default",
    policies: { confirm_when_cancelled: "not_found" },
    faults: [{ operation: "businesses.list", calls: { nth: 2 }, effect: { drop: {} } }],
    clock_ahead_seconds: 0,
    notes: [],
  };
  const came = { at: recorded.at, trace_id: null, status: 200, body: { items: [] } };

  it("accepts where it was recorded, and the recorded result of a step", () => {
    const one = { ...scenario({ ...list, came }), recorded };
    expect(checkScenario(one)).toBe(one);
  });

  it.each<[RegExp, object]>([
    [/\/steps\/0\/came\/status must be/, scenario({ ...list, came: { ...came, status: "200" } })],
    [/\/recorded\/notes must be array/, { ...scenario(list), recorded: { ...recorded, notes: "none" } }],
    [
      /\/recorded\/faults\/0\/secret is not a known field/,
      { ...scenario(list), recorded: { ...recorded, faults: [{ secret: 1, effect: { drop: {} } }] } },
    ],
  ])("refuses an invalid recording: %s", (why, content) => {
    expect(() => checkScenario(content)).toThrow(why);
  });

  it("accepts a story whose sentences contain no references and whose shown values are saved before", () => {
    const told = scenario(
      { ...list, save: "mine", say: "It lists {{nothing}}.", show: { entity: "mine.items.0", side: "repairer" } },
      { ...list, say: "x".repeat(200), show: { entity: "mine", side: "both" } },
    );
    expect(checkScenario(told)).toBe(told);
  });

  it("accepts a minimal file, and references to built-in values", () => {
    const few = scenario(
      list,
      { ...list, save: "mine" },
      { ...list, name: "{{mine.items.0.id}} {{service.base_url}}" },
    );
    expect(checkScenario(few)).toBe(few);
  });
});
