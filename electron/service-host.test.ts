import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { selfSigned } from "../sandbox/testing/self-signed.ts";

const HOST = path.join(import.meta.dirname, "service-host.ts");

// Only Linux reads the system's certificates from a file that a variable can name.
test.runIf(process.platform === "linux")("the app trusts the system's certificates", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "service-host-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const certificate = path.join(folder, "system.pem");
  writeFileSync(certificate, selfSigned.cert);
  const program = `
    const { startServiceHost } = await import(${JSON.stringify(HOST)});
    const { getCACertificates } = await import("node:tls");
    const host = startServiceHost(${JSON.stringify(path.join(folder, "data"))});
    await host.ready;
    const pem = (await import("node:fs")).readFileSync(${JSON.stringify(certificate)}, "utf8");
    const isKnown = () => getCACertificates("default").some((one) => one.replaceAll(/\\s/g, "") === pem.replaceAll(/\\s/g, ""));
    for (let looks = 0; !isKnown() && looks < 100; looks += 1) await new Promise((resolve) => setTimeout(resolve, 20));
    console.log(isKnown());
    await host.stop();`;
  const env = { ...process.env, SSL_CERT_FILE: certificate };
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", program], { env });
  expect(stdout.trim()).toBe("true");
});
