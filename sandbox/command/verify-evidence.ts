import fs from "node:fs";
import type { Evidence } from "../contract/control/readiness-operations.ts";
import { COMMAND } from "../contract/package-name.ts";
import { terminalText } from "../contract/text.ts";
import { findEvidenceProblem, type SignedEvidence } from "../secrets/evidence.ts";
import { newCommand } from "./program.ts";

const HELP = `
Prints what the file says and which key signed it. Anybody can sign with a key of their own: compare the fingerprint with
the one that the sandbox shows, or give it with --key.

Exit status: 0 if the signature is valid (and by the key of --key), 1 if not, 2 if the file isn't evidence.

Examples:
  $ ${COMMAND} verify-evidence evidence.json
  $ ${COMMAND} verify-evidence evidence.json --key 3f1c0a…`;

const readEvidence = (file: string): SignedEvidence => {
  const read = JSON.parse(fs.readFileSync(file, "utf8")) as Partial<SignedEvidence> | null;
  const { evidence, signature, public_key, fingerprint } = read ?? {};
  if (typeof evidence !== "string" || typeof signature !== "string") throw new Error("it has no signed evidence");
  if (typeof public_key !== "string" || typeof fingerprint !== "string") throw new Error("it has no key");
  return { evidence, signature, public_key, fingerprint };
};

const evidenceLines = ({ evidence, fingerprint }: SignedEvidence): string[] => {
  const content = JSON.parse(evidence) as Partial<Evidence> | null;
  if (!content?.readiness || !content.unmet || !content.service)
    throw new Error("what is signed isn’t a readiness report");
  const { issued_at, service, world, readiness, plan, met, required, unmet, ready } = content as Evidence;
  // Missing in files of earlier versions.
  const { id, statement } = content;
  return [
    `${readiness.organization_name} (${readiness.integration_id}), world ${world} of ${service.url}, ${issued_at}`,
    `${ready ? "Ready" : "Not ready"}: ${met} of ${required} checks met${plan === null ? "" : ` (${plan})`}.`,
    ...unmet.map(({ kind, name }) => `  not met: ${kind.replace("_", " ")} ${name}`),
    ...(statement === undefined ? [] : [statement]),
    ...(id === undefined ? [] : [`It is evidence ${id}: evidence.list of that sandbox says whether it was revoked.`]),
    `Valid signature by key ${fingerprint}.`,
  ];
};

/**
 * `sandbox verify-evidence`: 0 for a valid signature, 1 for an invalid one, 2 for an unreadable file.
 *
 * @throws CommanderError for a bad option
 */
export const verifyEvidence = (argv: readonly string[]): number => {
  const command = newCommand("verify-evidence", "Checks a signed evidence file of the readiness report.", HELP)
    .argument("<file>", "the file")
    .option("--key <fingerprint>", "the fingerprint that the sandbox shows")
    .parse([...argv], { from: "user" });
  const [file = ""] = command.args;
  const { key } = command.opts<{ readonly key?: string }>();
  let signed: SignedEvidence;
  let sentences: string[];
  try {
    signed = readEvidence(file);
    sentences = evidenceLines(signed);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // The parser's own message quotes the file.
    const why = error instanceof SyntaxError ? "it isn’t valid JSON" : code ? `it can’t be read (${code})` : message;
    const refusal = code === "ENOENT" ? `File not found: ${file}` : `${file} isn’t an evidence file: ${why}`;
    process.stderr.write(`error: ${terminalText(refusal)}\n`);
    return 2;
  }
  const isOther = key !== undefined && key.toLowerCase() !== signed.fingerprint;
  const problem =
    findEvidenceProblem(signed) ?? (isOther ? `it is signed by another key, ${signed.fingerprint}` : null);
  if (problem !== null) {
    process.stderr.write(`error: don't trust this file: ${terminalText(problem)}\n`);
    return 1;
  }
  for (const sentence of sentences) process.stdout.write(`${terminalText(sentence)}\n`);
  return 0;
};
