import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { run } from "../command/run.ts";
import { faultsSet } from "../contract/control/fault-operations.ts";
import { deliveriesList, requestsList } from "../contract/control/operations.ts";
import { type Run, runsStart, runsStep, runsStop, runsStory } from "../contract/control/scenario-operations.ts";
import { worldsDelete, worldsList } from "../contract/control/world-operations.ts";
import { type Operation, operationPath, type RequestOf } from "../contract/operation.ts";
import type { Scene, Story } from "../contract/story.ts";
import { storyPage } from "../scenario/story-page.ts";
import { repairer, startTestService, type TestService, temporaryFolder, testConfig } from "../testing/harness.ts";
import { keepPrinted } from "../testing/printed.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.end());

const ask = <O extends Operation>(operation: O, body: RequestOf<O>) =>
  service.post<{ readonly message?: string }>(operationPath(operation), body, {
    authorization: `Bearer ${service.ready.control_token}`,
  });
const worlds = async (): Promise<string[]> => (await service.control(worldsList, {})).items.map(({ name }) => name);

/** Plays every narrated step of a scenario, like a person in the player. */
const play = async (asked: { readonly name: string } | { readonly scenario: unknown }): Promise<Run> => {
  let played = await service.control(runsStart, { ...asked, mode: "by_hand" });
  onTestFinished(async () => void (await ask(runsStop, { id: played.id })));
  for (const { number } of played.story?.said ?? [])
    played = await service.control(runsStep, { id: played.id, to: number });
  return played;
};
const storyOf = ({ story }: Run): Story => {
  if (!story) throw new Error("the run tells no story");
  return story;
};
const sceneOf = (story: Story, title: string): Scene => {
  const number = story.said.find((one) => one.title === title)?.number;
  const scene = story.scenes.find((one) => one.number === number);
  if (!scene) throw new Error(`no scene ${title}`);
  return scene;
};

const list = { call: { operation: "businesses.list", as: "repairer" } };
const scenario = (...steps: readonly object[]) => ({ scenario: 1, name: "A test", steps });

describe("the story of a first order", () => {
  test("contains each side's view, changes and notifications, without recording its own reads", async () => {
    const played = await play({ name: "install-and-first-order" });
    const story = storyOf(played);
    expect(played.state).toBe("held");
    expect(story.scenes.map(({ number }) => number)).toEqual(story.said.map(({ number }) => number));
    expect(sceneOf(story, "Insert job")).toMatchObject({
      repairer: { note: "job", facts: [{ label: "Vehicle", value: "NKR482" }, { label: "Site" }] },
      supplier: { note: "webhooks" },
      changed: ["repairer"],
      call: { side: "repairer", operation: "repairer.jobs.insert", status: 200 },
    });
    const offers = sceneOf(story, "Choose offers").repairer?.offers;
    const chosen = offers?.parts.flatMap(({ cells }) => cells.filter((cell) => cell?.chosen));
    expect([offers?.suppliers[0], chosen?.length]).toEqual(["Meridian Genuine Parts", 1]);
    const confirmed = sceneOf(story, "Confirm");
    const changed = { value: "order_confirmed", was: "order_requested" };
    expect([confirmed.repairer?.status, confirmed.supplier?.status]).toEqual([changed, changed]);
    expect(confirmed.supplier?.facts.find(({ label }) => label === "Deliver by")).toMatchObject({ was: "not set yet" });
    expect(confirmed.webhooks.map(({ event_type, status }) => [event_type, status]).toSorted()).toEqual([
      ["repairer.procurements", "delivered"],
      ["supplier.procurements", "delivered"],
    ]);
    expect(confirmed.webhooks.flatMap(({ verification }) => verification.map(({ verdict }) => verdict))).toEqual(
      Array.from({ length: 8 }, () => "passed"),
    );
    expect(story.scenes.at(-1)?.webhooks).toEqual(confirmed.webhooks);
    const { items } = await service.control(requestsList, { world: played.world, limit: 100 });
    expect(items).toHaveLength(story.scenes.at(-1)?.calls ?? 0);
  });

  test("contains no secret", async () => {
    const text = JSON.stringify(storyOf(await play({ name: "install-and-first-order" })));
    expect(text).toContain("isk_••••");
    expect(text).not.toMatch(/(?:isk|sbx|sbw|cs|ac|pwh)_[A-Za-z0-9_-]{12,}/);
    expect(text).not.toContain(service.ready.control_token);
  });

  test("of a recovering receiver shows the failed and the successful attempt", async () => {
    const story = storyOf(await play({ name: "receiver-down-and-back" }));
    const [first] = story.scenes.filter(({ webhooks }) => webhooks.length > 0);
    expect(first?.webhooks).toContainEqual(expect.objectContaining({ status: "pending", answered: 503, attempts: 1 }));
    expect(story.scenes.at(-1)?.webhooks).toContainEqual(
      expect.objectContaining({ status: "delivered", answered: 200, receiver: "second" }),
    );
    const answers = story.scenes.map(({ repairer }) => repairer?.facts.find(({ label }) => label === "Answers"));
    expect(answers[0]).toEqual({ label: "Answers", value: "503" });
    expect(answers[4]).toEqual({ label: "Answers", value: "200", was: "503" });
    expect(story.scenes[2]?.webhooks.map(({ receiver, answered }) => [receiver, answered]).toSorted()).toEqual([
      ["first", 200],
      ["second", 503],
    ]);
  }, 40_000);

  test("of a recovering receiver shows both receivers, even if a retry comes between two sentences", async () => {
    const started = await service.control(runsStart, { name: "receiver-down-and-back", mode: "by_hand" });
    const { id, world } = started;
    onTestFinished(async () => void (await ask(runsStop, { id })));
    const [, sent, looked] = storyOf(started).said;
    await service.control(runsStep, { id, to: sent?.number ?? 0 });
    const retried = async () =>
      (await service.control(deliveriesList, { world })).items.some(({ attempts_made }) => attempts_made > 1);
    await expect.poll(retried).toBe(true);
    const { scenes } = storyOf(await service.control(runsStep, { id, to: looked?.number ?? 0 }));
    expect(scenes[2]?.webhooks.map(({ receiver, answered }) => [receiver, answered]).toSorted()).toEqual([
      ["first", 200],
      ["second", 503],
    ]);
  });

  test("of a slow supplier and one that cancels shows both orders, without webhooks of others", async () => {
    const played = await play({ name: "slow-supplier-and-cancellation" });
    const story = storyOf(played);
    expect(played.state).toBe("held");
    expect(story.scenes[0]?.supplier?.lines).toHaveLength(2);
    expect(story.said.slice(-3).map(({ title, sides }) => [title, sides])).toEqual([
      ["Cancelled", ["supplier"]],
      ["Confirmed", ["supplier"]],
      ["Webhooks", ["repairer", "supplier"]],
    ]);
    const [cancelled, confirmed] = story.scenes.slice(-3);
    // The counterparts' own calls, not the ones that looked whether they had happened.
    expect(cancelled?.call).toMatchObject({ operation: "procurements.cancel", side: "supplier", status: 200 });
    expect(confirmed?.call).toMatchObject({
      operation: "supplier.procurements.confirm",
      side: "supplier",
      status: 200,
    });
    expect(cancelled?.repairer?.lines.find(({ was }) => was !== undefined)?.amount).toBe("cancelled");
    expect(confirmed?.repairer?.lines.find(({ was }) => was !== undefined)?.amount).toBe("order confirmed");
    expect(confirmed?.webhooks.length).toBeLessThanOrEqual(1);
  }, 40_000);
});

describe("a story", () => {
  const insert = (identity: string) => ({
    ...{ operation: "repairer.jobs.insert", as: "repairer" },
    body: { identity: { external: identity }, repairer_site_id: "{{sites.items.[type=repairer_site].id}}" },
  });
  const get = {
    ...{ operation: "repairer.jobs.get", as: "repairer" },
    body: { identity: { external: "here" } },
  };
  const notFound = { status: 404, exact: { type: "not_found" } };

  test("of two worlds shows each step's own world by its name, and nothing that a call didn't find", async () => {
    const integration_id = "{{repairer.integration_id}}";
    const check = { receiver: "elsewhere", expect: [{ event_type: "repairer.jobs", count: 0 }] };
    const played = await play({
      scenario: scenario(
        { receiver: { integration_id }, save: "elsewhere", world: "other" },
        { receiver: { integration_id }, save: "here" },
        { ...list, save: "sites" },
        { call: insert("here"), save: "job", say: "One job.", show: { entity: "job", side: "repairer" } },
        { call: get, expect: notFound, world: "other", say: "Not here.", show: { entity: "job", side: "both" } },
        { deliveries: check, say: "Nothing arrives here." },
        {
          call: insert("there"),
          save: "its",
          world: "other",
          say: "Another.",
          show: { entity: "its", side: "repairer" },
        },
        { ...list, say: "It lists its sites.", show: { entity: "sites", side: "repairer" } },
      ),
    });
    expect(played.state).toBe("held");
    expect(storyOf(played).scenes).toMatchObject([
      { repairer: { title: "here" }, webhooks: [{ side: "repairer", receiver: "here" }] },
      { world: "other", repairer: null, supplier: null, missing: "job" },
      { world: "other", repairer: null, webhooks: [] },
      { world: "other", repairer: { title: "there" } },
      { repairer: { title: "here" }, unshown: "sites" },
    ]);
    expect(storyOf(played).scenes[0]).not.toHaveProperty("world");
    expect(storyOf(played).scenes[4]).not.toHaveProperty("missing");
  });

  test("shows no record to a caller who doesn't find it", async () => {
    const other = { ...get, body: { identity: { external: "gone" } } };
    const played = await play({
      scenario: scenario(
        { ...list, save: "sites" },
        { call: insert("here"), save: "job", say: "One job.", show: { entity: "job", side: "repairer" } },
        { call: other, expect: notFound, say: "Another isn’t there.", show: { entity: "job", side: "repairer" } },
      ),
    });
    expect(storyOf(played).scenes[1]).toMatchObject({ repairer: null, changed: [], missing: "job" });
  });

  test("stops at a failed step with the expected value, and continues after a retry", async () => {
    const steps = [
      { ...list, say: "The repairer lists its sites." },
      { ...list, expect: { status: 418 } },
      { ...list, say: "It lists them again." },
    ];
    const played = await play({ scenario: scenario(...steps) });
    expect(played.story?.scenes.map(({ number, problem }) => [number, problem])).toEqual([
      [1, null],
      [2, { detail: "businesses.list → 200", expected: "418", got: "200" }],
    ]);
    const refused = { call: { operation: "repairer.jobs.get", as: "repairer", body: { identity: { external: 5 } } } };
    const wrong = await play({ scenario: scenario({ ...refused, say: "It reads a job." }) });
    expect(wrong.story?.scenes[0]?.problem).toMatchObject({
      ...{ got: "400", answer: expect.stringMatching(/^`\/identity\/external` must be string/) },
    });
  });

  test("names the cause of a closed connection, and of a world that was deleted while it played", async () => {
    const start = async (to: number) => {
      const { id, world } = await service.control(runsStart, { name: "install-and-first-order", mode: "by_hand" });
      onTestFinished(async () => void (await ask(runsStop, { id })));
      await service.control(runsStep, { id, to });
      return { id, world };
    };
    const dropped = await start(7);
    const operation = "repairer.jobs.insert";
    await service.control(faultsSet, { world: dropped.world, operation, effect: { drop: { when: "before" } } });
    const stopped = await service.control(runsStep, { id: dropped.id, to: 8 });
    expect(stopped.story?.scenes.at(-1)).toMatchObject({
      call: { operation, status: 0 },
      problem: { answer: expect.stringMatching(/^A fault of world/) },
    });
    const gone = await start(8);
    await service.control(worldsDelete, { world: gone.world });
    const failed = await service.control(runsStep, { id: gone.id, to: 9 });
    expect(failed.story?.scenes.at(-1)?.problem?.answer).toMatch(`World ${gone.world} was deleted`);
  });

  test("doesn't exist without sentences, and reports a missing value", async () => {
    const silent = await play({ scenario: scenario(list) });
    expect(silent.story).toBeNull();
    const refused = await ask(runsStory, { id: silent.id });
    expect([refused.status, refused.body.message]).toEqual([422, expect.stringContaining("tells no story")]);
    const shown = { say: "It lists its sites.", save: "sites", show: { entity: "sites.items.9", side: "both" } };
    const played = await play({ scenario: scenario({ ...list, ...shown }) });
    expect(played.story?.scenes).toMatchObject([
      { repairer: null, supplier: null, changed: [], problem: null, missing: "sites.items.9" },
    ]);
  });

  test("keeps its world on request, whatever runs afterwards, and otherwise deletes it", async () => {
    const kept = await play({ name: "install-and-first-order" });
    // Another window plays it while this one is at the end.
    await play({ name: "install-and-first-order" });
    expect(await worlds()).toContain(kept.world);
    expect((await service.control(runsStop, { id: kept.id, keep: true })).worlds).toEqual([]);
    const next = await play({ name: "install-and-first-order" });
    expect(await worlds()).toContain(kept.world);
    await service.control(runsStop, { id: next.id });
    expect(await worlds()).not.toContain(next.world);
  });

  test("as a page runs only its player, whatever its sentences contain", () => {
    const said = [{ number: 1, title: "</script>", say: "</script><script>alert(1)</script>", sides: [] }];
    const story = {
      story: 1,
      title: "<b>&",
      about: null,
      version: "1",
      at: "2026-11-29T00:00:00.000Z",
      said,
      scenes: [],
    };
    const html = storyPage(story as Story, { code: "play()", style: "body{}" });
    expect(html.match(/<script/g)).toHaveLength(2);
    expect(html).toContain("<title>&lt;b&gt;&amp;</title>");
    const [, policy = ""] = /Content-Security-Policy" content="([^"]+)"/.exec(html) ?? [];
    expect(policy).toMatch(/^default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'; /);
  });
});

describe("sandbox run --story", () => {
  let folder = "";
  let printed = { stdout: "", stderr: "" };
  beforeAll(() => {
    folder = temporaryFolder();
    fs.mkdirSync(path.join(folder, "story"));
    fs.writeFileSync(path.join(folder, "story", "player.js"), "play()");
    fs.writeFileSync(path.join(folder, "story", "player.css"), "body{}");
  });
  afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));
  beforeEach(() => {
    printed = keepPrinted();
  });
  const config = () => ({ ...testConfig(null), explorerFolder: path.join(folder, "renderer") });
  const fileOf = (name: string, ...steps: readonly object[]): string => {
    const file = path.join(folder, name);
    fs.writeFileSync(file, JSON.stringify(scenario(...steps)));
    return file;
  };
  const recordedIn = (file: string): Story => {
    const html = fs.readFileSync(file, "utf8");
    return JSON.parse(/id="recorded">(.*?)<\/script>/.exec(html)?.[1] ?? "null") as Story;
  };

  test("writes the story as one page, even if it fails, without keys", async () => {
    const out = path.join(folder, "out.html");
    const file = fileOf("a.json", { ...list, say: "It lists its sites." }, { ...list, expect: { status: 418 } });
    expect([await run([file, "--story", out], config), printed.stderr]).toEqual([1, ""]);
    expect(recordedIn(out).scenes.map(({ number, problem }) => [number, problem?.expected])).toEqual([
      [1, undefined],
      [2, "418"],
    ]);
    expect(fs.readFileSync(out, "utf8")).not.toContain(repairer.api_key);
  });

  test("refuses several files, one without a story, a path that isn't writable and a service without player", async () => {
    const one = fileOf("one.json", { ...list, say: "It lists its sites." });
    const silent = fileOf("silent.json", list);
    const refused: [args: string[], why: RegExp][] = [
      [[one, silent, "--story", path.join(folder, "x.html")], /--story takes one scenario file/],
      [[silent, "--story", path.join(folder, "x.html")], /has no story: none of its steps has "say"/],
      [[one, "--story", path.join(folder, "none", "x.html")], /can’t be written \(ENOENT\)/],
    ];
    for (const [args, why] of refused) {
      Object.assign(printed, { stdout: "", stderr: "" });
      expect(await run(args, config)).toBe(2);
      expect(printed.stderr).toMatch(why);
      // Nothing ran.
      expect(printed.stdout).toBe("");
    }
    printed.stderr = "";
    expect(await run([one, "--story", path.join(folder, "x.html")], () => testConfig(null))).toBe(2);
    expect(printed.stderr).toMatch(/explorer, which its player is part of, isn’t built/);
    expect(fs.existsSync(path.join(folder, "x.html"))).toBe(false);
  });
});
