import { describe, expect, it } from "vitest";
import type { Attempt, DeliveryRow, RequestDetail } from "../../../../sandbox/contract/control/rows.ts";
import type { Explanation } from "../../../domain/exchange/explanation.ts";
import { pageHtml } from "../../../domain/share/page-html.ts";
import { pageMarkdown } from "../../../domain/share/page-markdown.ts";
import { type Block, callBlocks, type TicketCall, versionBlocks } from "../../../domain/share/ticket.ts";
import type { Trace } from "../../../domain/trace/queries.ts";
import { createHar } from "./har.ts";

const hostile = [
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "```\n# Broken out\n<b>bold</b>",
  "````````",
  "[click](javascript:alert(1))",
  "![x](https://evil.example/x.png)",
  "@everyone please",
  "see http://evil.example/x or www.evil.example",
  '"><svg onload=alert(1)>',
  "&lt;already&gt;",
  "- not a list",
  "1. nor this",
  "> nor a quotation",
  "# nor a heading",
  "---",
  "__bold__ and _leaning_",
  "*bold*",
  "#123",
  '=HYPERLINK("https://evil.example")',
  "\u0000\u202e\u2028",
];

const base64 = (text: string) => btoa(String.fromCharCode(...new TextEncoder().encode(text)));

/** A call whose partner-controlled texts are all hostile. */
const callOf = (text: string): TicketCall => {
  const request = {
    id: "01a205a3-0000-4000-8000-000000000000",
    trace_id: "t",
    at: "2026-11-22T10:00:00.000Z",
    method: text,
    path: `/${text}`,
    operation: null,
    integration_id: null,
    side: null,
    status: 422,
    error_code: text,
    duration_ms: 1,
    request_bytes: text.length,
    response_bytes: text.length,
    outcome: text,
    events: 1,
    job_id: null,
    procurement_id: null,
    label: text,
    note: text,
    request_headers: [[text, text]],
    request_body: text,
    request_body_base64: base64(text),
    response_headers: [[text, text]],
    response_body: text,
    response_body_base64: base64(text),
    body_masked: false,
  } as RequestDetail;
  const explanation: Explanation = {
    id: request.id,
    operation: null,
    checks: [],
    refusal: {
      sentence: text,
      code: text,
      status: 422,
      whose_side: "partner",
      cause: null,
      pointers: [],
      section: text,
      decisions: [{ id: text, meaning: text, policy: null }],
      what_to_do: text,
    },
    correction: {
      body: { [text]: text },
      edits: [{ pointer: text, after: text, reason: text }],
    },
    suggestions: [{ pointer: text, value: text, label: text }],
    more_suggestions: 0,
    ignored: [{ pointer: text, message: text }],
    nearest: { addresses: [text], method: null },
  };
  const delivery = { id: "d", event_id: "e", status: "failed", url: text, message_id: text } as DeliveryRow;
  const trace = {
    changes: [{ entity: "job", id: "j", label: text, change: "updated", before: { a: 1 }, after: { a: text } }],
    events: [{ id: "e", event_type: "repairer.jobs", payload: { status: text } }],
    deliveries: [delivery],
    drills: [{ drill: "stale", verdict: "failed", sentence: text, url: text }],
  } as unknown as Trace;
  const attempt = {
    number: 1,
    duration_ms: 3,
    response_status: 500,
    error: text,
    response_body_base64: base64(text),
    verification: [],
    explanation: { sentence: text, whose: "The cause is on the receiver’s side.", decision: null, what_to_do: text },
  } as unknown as Attempt;
  return { request, who: text, explanation, trace, attempts: new Map([["d", [attempt]]]) };
};
const about = { world: "w", service: "1", contract: "1", made_at: "2026-11-22T10:00:00.000Z" };

const ticketOf = ([call]: [TicketCall], made: typeof about): Block[] => [
  ...callBlocks(call, made.world),
  ...versionBlocks(made),
];

describe.each(hostile)("a ticket of a call with %j in every field", (text) => {
  const blocks = ticketOf([callOf(text)], about);

  it("is an HTML page without foreign markup", () => {
    const html = pageHtml(text, blocks);
    const tags = new Set([...html.matchAll(/<\/?([a-z0-9!]+)/gi)].map(([, name = ""]) => name.toLowerCase()));
    const ours = "!doctype html head meta title style body h1 h2 h3 p dl dt dd ul li pre".split(" ");
    expect([...tags].filter((tag) => !ours.includes(tag))).toEqual([]);
    expect([...html.matchAll(/<[^>]*>/g)].filter(([tag]) => / on\w+=|javascript:/i.test(tag))).toEqual([]);
  });

  it("is Markdown without foreign markup, links or mentions, and with closed blocks", () => {
    const outside: string[] = [];
    let fence: string | null = null;
    for (const line of pageMarkdown(blocks).split("\n")) {
      const run = /^(`{3,})(text)?$/.exec(line);
      if (fence === null && run?.[2]) fence = run[1] ?? null;
      else if (fence !== null && line === fence) fence = null;
      else if (fence === null) outside.push(line);
    }
    expect(fence).toBeNull();
    for (const line of outside) {
      expect(line).not.toMatch(/</);
      expect(line).not.toMatch(/@/);
      expect(line).not.toMatch(/(?<!\\):\/\/|www\./i);
      expect(line.replaceAll(/\\.|&#64;/g, "")).not.toMatch(/[`[\]~$]|#\d|_(?!\w)|(?<!\w)_/);
      expect(line).toMatch(/^$|^#{2,3} |^- |^[^-+>\d#]|^\d+[^.)\d]/);
      expect(line).not.toMatch(/^- (?:[-+>#] |\d+[.)] )/);
    }
  });
});

describe("a ticket", () => {
  it("contains call, response, cause, correction and effects", () => {
    const kinds = ticketOf([callOf("x")], about).flatMap((block: Block) => ("text" in block ? [block.text] : []));
    expect(kinds).toEqual(
      expect.arrayContaining(["Why", "Proposed correction", "Ignored fields", "Changes", "Events and deliveries"]),
    );
  });

  it("contains bodies as written, including numbers and repeated fields", () => {
    const text = pageMarkdown(ticketOf([callOf('{"n":12345678901234567890,"p":10.50,"p":1e3}')], about));
    expect(text).toContain('{\n  "n": 12345678901234567890,\n  "p": 10.50,\n  "p": 1e3\n}');
  });

  it("says why a delivery failed, on whose side, and with which drill results", () => {
    const text = pageMarkdown(ticketOf([callOf("x")], about));
    expect(text).toContain("The cause is on the receiver’s side.");
    expect(text).toContain("Six minutes old, failed, to x: x");
  });

  it("escapes only what Markdown would interpret, for trackers that show plain text", () => {
    const said = "0.1.0: Tarn & Rowe, webhook_retries | 2 < 3, 1) a-b at C:\\hooks, C#";
    const blocks: Block[] = [
      { kind: "title", text: said },
      { kind: "text", text: said },
      { kind: "facts", rows: [[said, said]] },
      { kind: "items", items: [said, "-5 °C", "a\\*b"] },
    ];
    expect(pageMarkdown(blocks)).toBe(
      `## ${said}\n\n${said}\n\n- **${said}**: ${said}\n\n- ${said}\n- -5 °C\n- a\\\\\\*b\n`,
    );
  });

  it("names the world without a subscription, as the screen does", () => {
    const call = callOf("x");
    const events = call.trace?.events.map((event) => ({ ...event, deliveries: 0 }));
    const trace = { ...call.trace, events, deliveries: [] } as unknown as typeof call.trace;
    const text = pageMarkdown(ticketOf([{ ...call, trace }], about));
    expect(text).toContain("this side had no subscription in this world (w) at the time");
  });

  it("has the latest result of each drill, and says which ones prove nothing", () => {
    const call = callOf("x");
    const drill = (name: string, verdict: string, sentence: string) => ({ drill: name, verdict, sentence, url: "x" });
    const made = [
      drill("duplicate", "passed", "at first"),
      drill("duplicate", "failed", "refused it"),
      drill("stale", "passed", "refused it"),
    ];
    const trace = { ...call.trace, drills: made } as unknown as typeof call.trace;
    const text = pageMarkdown(ticketOf([{ ...call, trace }], about));
    expect(text).not.toContain("at first");
    expect(text).toContain("Six minutes old, inconclusive, to x: It rejects valid notifications too.");
    expect(text).toMatch(/, failed, to x: refused it/);
  });

  it("formats backticked words of the service's sentences as code", () => {
    const said = "Send `if_` and `Authorization: Bearer <key>`.";
    const blocks: Block[] = [{ kind: "facts", rows: [["What to do", said]] }];
    expect(pageMarkdown(blocks)).toContain(said);
    expect(pageHtml("t", blocks)).toContain("<code>Authorization: Bearer &lt;key&gt;</code>.");
  });

  it("shortens a long body", () => {
    const text = pageMarkdown(ticketOf([callOf("y".repeat(100_000))], about));
    expect(text).toContain("more characters");
  });
});

describe("an HTTP archive", () => {
  const call = {
    ...callOf("x").request,
    path: "/api/x?a=1",
    integration_id: "i",
    request_headers: [
      ["authorization", "Bearer sbx_••••0c21"],
      ["content-type", "application/json"],
    ],
  } as RequestDetail;

  it("has the fields of HAR 1.2, oldest call first", () => {
    const later = { ...call, id: "later", at: "2026-11-22T11:00:00.000Z" };
    const { log } = createHar([later, call], "http://127.0.0.1:4026", "1.0.0");
    expect(log).toMatchObject({ version: "1.2", creator: { name: "Integrations Explorer", version: "1.0.0" } });
    expect(log.entries.map(({ comment }) => comment)).toEqual([`request id ${call.id}`, "request id later"]);
    expect(log.entries[0]).toMatchObject({
      startedDateTime: call.at,
      request: { url: "http://127.0.0.1:4026/api/x?a=1", queryString: [{ name: "a", value: "1" }], cookies: [] },
      response: { status: 422, content: { text: "x", size: 1 } },
      timings: { send: 0, wait: 1, receive: 0 },
    });
  });

  it("encodes a binary body in base64", () => {
    const binary = { ...call, response_body_base64: btoa("\u00ff\u0000") };
    expect(createHar([binary], "http://h", "1").log.entries[0]?.response.content).toMatchObject({ encoding: "base64" });
  });

  it("contains keys only on request", () => {
    const keys = new Map([["i", "sbx_the_key"]]);
    const headers = (of: ReturnType<typeof createHar>) => of.log.entries[0]?.request.headers[0]?.value;
    expect(headers(createHar([call], "http://h", "1"))).toBe("Bearer sbx_••••0c21");
    expect(headers(createHar([call], "http://h", "1", keys))).toBe("Bearer sbx_the_key");
  });
});
