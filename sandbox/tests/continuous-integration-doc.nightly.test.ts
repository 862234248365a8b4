import { execFile } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";

const ROOT = path.join(import.meta.dirname, "..", "..");
const REPORT = path.join(ROOT, "sandbox-report.xml");
const text = fs.readFileSync(path.join(ROOT, "docs", "continuous-integration.md"), "utf8");

/** The commands of a section's example, without the dashes and keys of YAML. */
const commandsOf = (section: string): string[] => {
  const block = new RegExp(`^## ${section}\\n[\\s\\S]*?^\`\`\`\\w+\\n([\\s\\S]*?)^\`\`\``, "m").exec(text)?.[1] ?? "";
  return block.split("\n").flatMap((line) => /^\s*(?:- (?:run: )?)?(npm .*)$/.exec(line)?.[1] ?? []);
};
const shell = commandsOf("Shell");

test("the examples for GitHub Actions and GitLab install, and then run what the shell example does", () => {
  for (const section of ["GitHub Actions", "GitLab"]) {
    const [install, ...commands] = commandsOf(section);
    expect(install).toBe("npm ci");
    expect(commands).toHaveLength(2);
    expect(shell).toEqual(expect.arrayContaining(commands));
  }
});

test("the commands of the examples run as they are printed", async () => {
  onTestFinished(() => fs.rmSync(REPORT, { force: true }));
  const env = { ...process.env, SANDBOX_BASE_URL: "", SANDBOX_CONTROL_TOKEN: "" };
  const said: string[] = [];
  for (const command of shell)
    said.push((await promisify(execFile)("bash", ["-c", command], { cwd: ROOT, env })).stdout);
  expect(said).toEqual([
    "",
    expect.stringMatching(/^\{"items":\[\{"type":"repairer",/),
    expect.stringMatching(/: all \d+ steps passed\.\n$/),
  ]);
  expect(fs.readFileSync(REPORT, "utf8")).toMatch(
    /^<\?xml .*\n<testsuites name="sandbox run" tests="\d+" failures="0"/,
  );
}, 300_000);
