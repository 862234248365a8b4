import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import yaml from "js-yaml";
import { afterAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { serveOptions } from "../command/options.ts";
import { findProgram, missingProgram } from "../testing/debian.ts";
import { temporaryFolder } from "../testing/harness.ts";
import { freePort } from "../testing/postgres.ts";
import { Cluster } from "./cluster.ts";
import { SharedDatabase } from "./database.ts";
import { Ownership } from "./ownership.ts";
import { WorldStore } from "./world-store.ts";

const DEPLOY = path.join(import.meta.dirname, "..", "..", "docs", "deploy");
const folder = temporaryFolder();
afterAll(() => fs.rmSync(folder, { recursive: true }));

const read = (name: string): string => fs.readFileSync(path.join(DEPLOY, name), "utf8");
/** Returns a configuration without TLS, which needs certificates, and with resolvable node names. */
const adapted = (name: string, listen: RegExp, instead: string): string => {
  const text = read(name).replaceAll(/node(\d):4026/g, "127.0.0.1:2000$1");
  expect(text).toMatch(listen);
  const file = path.join(folder, name);
  fs.writeFileSync(file, text.replace(listen, instead));
  return file;
};
const documents = (name: string): Record<string, never>[] => yaml.loadAll(read(name)) as Record<string, never>[];

const nginx = findProgram("nginx");
const haproxy = findProgram("haproxy");

describe("the files of docs/deploy", () => {
  test("HAProxy accepts its configuration", (context) => {
    context.skip(haproxy === null, missingProgram("HAProxy"));
    const file = adapted("haproxy.cfg", /bind .*/, "bind 127.0.0.1:20000");
    execFileSync(haproxy ?? "", ["-c", "-f", file], { stdio: "pipe" });
  });

  test("the five alerts use existing metrics", () => {
    const database = new SharedDatabase("postgres://localhost/none", 1, () => undefined);
    const { figures } = new Cluster(new WorldStore(database), new Ownership(database, database), () => undefined);
    const known = new Set(figures.map(([name]) => name));
    const { groups } = yaml.load(read("alerts.yaml")) as { groups: { rules: { alert: string; expr: string }[] }[] };
    const rules = groups.flatMap((group) => group.rules);
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(5);
    for (const { expr } of rules) {
      const named = expr.match(/sandbox_\w+/g) ?? [];
      expect(named.length).toBeGreaterThan(0);
      for (const name of named) expect(known).toContain(name);
    }
  });

  const IDENTITY = [
    ...["X-Forwarded-Email", "X-Forwarded-User", "X-Forwarded-Groups", "X-Forwarded-Preferred-Username"],
    ...["X-Forwarded-Access-Token", "X-Auth-Request-Email", "X-Auth-Request-User", "X-Auth-Request-Groups"],
    "X-Auth-Request-Preferred-Username",
  ];

  test("HAProxy removes identity headers sent by a caller", async (context) => {
    context.skip(haproxy === null, missingProgram("HAProxy"));
    const came: http.IncomingHttpHeaders[] = [];
    const node = http.createServer(({ headers, url }, response) => {
      if (url === "/asked") came.push(headers);
      response.end();
    });
    await once(node.listen(0, "127.0.0.1"), "listening");
    onTestFinished(() => void node.close());
    const port = await freePort();
    const file = adapted("haproxy.cfg", /bind .*/, `bind 127.0.0.1:${port}`);
    const { port: at } = node.address() as AddressInfo;
    fs.writeFileSync(file, fs.readFileSync(file, "utf8").replaceAll(/127\.0\.0\.1:2000[123]/g, `127.0.0.1:${at}`));
    const child = spawn(haproxy ?? "", ["-db", "-f", file], { stdio: "ignore" });
    onTestFinished(async () => {
      child.kill();
      await once(child, "exit");
    });
    const headers = { ...Object.fromEntries(IDENTITY.map((name) => [name, "anna@example.com"])), "x-mine": "kept" };
    const ask = () => fetch(`http://127.0.0.1:${port}/asked`, { headers }).catch(() => null);
    await vi.waitUntil(async () => (await ask())?.status === 200, 10_000);
    expect(came[0]).toMatchObject({ "x-mine": "kept", "x-forwarded-for": "127.0.0.1" });
    expect(Object.keys(came[0] ?? {}).filter((name) => /^x-(forwarded-(?!for)|auth-request)/.test(name))).toEqual([]);
  });

  test("nginx is configured to remove the same headers", () => {
    const cleared = [...read("nginx.conf").matchAll(/proxy_set_header (X-[\w-]+) "";/g)].map(([, name]) => name);
    expect(cleared).toEqual(IDENTITY);
  });

  test("nginx accepts its configuration, and reports in JSON that no node responds", async (context) => {
    context.skip(nginx === null, missingProgram("nginx"));
    const port = await freePort();
    const file = adapted(
      "nginx.conf",
      /listen 443 ssl;[\s\S]*?sandbox.key;/,
      `listen 127.0.0.1:${port}; access_log off;`,
    );
    const own = "pid nginx.pid; daemon off; error_log stderr;";
    const child = spawn(nginx ?? "", ["-p", folder, "-e", "stderr", "-g", own, "-c", file], { stdio: "ignore" });
    onTestFinished(async () => {
      child.kill();
      await once(child, "exit");
    });
    const answer = await vi.waitUntil(() => fetch(`http://127.0.0.1:${port}/`).catch(() => null), 10_000);
    expect(answer.status).toBe(502);
    expect(answer.headers.get("retry-after")).toBe("1");
    expect(await answer.json()).toMatchObject({ type: "storage_unavailable" });
  });

  const variables = new Set(serveOptions.map(({ envVar }) => envVar));

  test("Docker Compose starts HAProxy's nodes with existing variables", () => {
    const [compose] = documents("compose.yaml") as unknown as [
      { services: Record<string, { environment?: Record<string, string> }>; volumes: object },
    ];
    const servers = [...read("haproxy.cfg").matchAll(/^ {2}server (\w+) (\w+):4026$/gm)].map(([, name]) => name ?? "");
    expect(servers).toHaveLength(3);
    for (const name of servers)
      for (const variable of Object.keys(compose.services[name]?.environment ?? { none: "" }))
        expect(variables).toContain(variable);
    expect(Object.keys(compose.services)).toEqual([...servers, "haproxy", "postgres"]);
  });

  test("the Kubernetes manifests refer to each other, and to existing variables", () => {
    interface Manifest {
      readonly kind: string;
      readonly spec: Record<string, never>;
    }
    const manifests = documents("kubernetes.yaml") as unknown as Manifest[];
    expect(manifests.map(({ kind }) => kind)).toEqual(["Deployment", "Service", "PodDisruptionBudget", "Ingress"]);
    const [deployment, service] = manifests as unknown as [
      {
        spec: {
          template: {
            metadata: { labels: object };
            spec: {
              securityContext: object;
              containers: {
                env: { name: string }[];
                ports: { name: string }[];
                volumeMounts: { name: string }[];
                securityContext: object;
                resources: object;
              }[];
              volumes: { name: string }[];
            };
          };
        };
      },
      { metadata: { name: string }; spec: { selector: object; ports: { targetPort: string }[] } },
    ];
    const { template } = deployment.spec;
    const [container] = template.spec.containers;
    expect(service.spec.selector).toEqual(template.metadata.labels);
    expect(container?.ports.map(({ name }) => name)).toEqual(service.spec.ports.map(({ targetPort }) => targetPort));
    for (const { name } of container?.env ?? []) expect(variables).toContain(name);
    expect(container?.volumeMounts.map(({ name }) => name)).toEqual(template.spec.volumes.map(({ name }) => name));
    expect(template.spec.securityContext).toMatchObject({
      ...{ runAsNonRoot: true, runAsUser: 1000 },
      seccompProfile: { type: "RuntimeDefault" },
    });
    expect(container?.securityContext).toEqual({
      ...{ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true },
      capabilities: { drop: ["ALL"] },
    });
    expect(container?.resources).toMatchObject({ limits: { cpu: expect.anything(), memory: expect.anything() } });
    expect(JSON.stringify(manifests[3])).toContain(`"service":{"name":"${service.metadata.name}"`);
  });
});
