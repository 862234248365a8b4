import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { allPages } from "../docs/site/all-pages.ts";
import { guides, languages } from "../docs/site/guides/guides.ts";
import { withoutInlineScripts } from "../docs/site/inline-scripts.ts";
import { withTabs } from "../docs/site/tabs.ts";
import { sources } from "../docs/site/written-pages.ts";
import { causeNames, causes } from "../sandbox/contract/causes.ts";
import { errorCodes } from "../sandbox/contract/errors.ts";
import { valueAt } from "../sandbox/contract/json-pointer.ts";
import { controlDocument, openApiDocument } from "../sandbox/contract/openapi/document.ts";
import { subscriptionRefusals } from "../sandbox/contract/openapi/routes.ts";
import { partnerOperations } from "../sandbox/contract/operations/partner.ts";
import { rejectReasons } from "../sandbox/contract/signature.ts";
import { testValues } from "../sandbox/contract/test-values.ts";

const OUT = path.join(import.meta.dirname, "../out/help");
const read = (file: string): string => readFileSync(path.join(OUT, file), "utf8");
const pages = globSync("**/index.html", { cwd: OUT });
const html = new Map(
  pages.map((file) => [`/help/${file.replace(/index\.html$/, "").replaceAll(path.sep, "/")}`, read(file)]),
);

/** A node of a JSON document. */
interface Node {
  readonly $ref?: string;
  readonly enum?: readonly string[];
  readonly const?: string;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly responses?: Readonly<Record<string, Node>>;
}
const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null;

/** The codes and reasons in the refusals of an API document. */
const listCodes = (document: Node): string[] => {
  const codes = new Set<string>();
  const visit = (value: unknown, refused: boolean): void => {
    if (!isNode(value)) return;
    if (value.$ref !== undefined && refused) visit(valueAt(document, value.$ref.slice(1)), true);
    for (const name of refused ? ["type", "reason"] : []) {
      const named = value.properties?.[name];
      for (const code of named?.enum ?? [named?.const ?? []].flat()) codes.add(code);
    }
    for (const [name, child] of Object.entries(value)) visit(child, refused || /^[45]\d\d$/.test(name));
  };
  visit(document, false);
  return [...codes];
};

describe("the help", () => {
  test("has a page for every operation and every error code", () => {
    for (const { id } of partnerOperations) expect(html.has(`/help/reference/operations/${id}/`), id).toBe(true);
    for (const code of [...Object.keys(errorCodes), ...subscriptionRefusals, ...rejectReasons])
      expect(html.get(`/help/reference/errors/${code}/`), code).toMatch(/<strong>Fix:<\/strong>|causes-and-fixes/);
  });

  test("names a cause and a fix for every error code", () => {
    const silent = allPages.filter(
      ({ slug, body }) => slug.startsWith("reference/errors/") && !body.includes("**Fix:**"),
    );
    expect(silent.map(({ title }) => title)).toEqual([]);
  });

  test("has a page for every code in the service's documents and test values, and a section for every cause", () => {
    const slugs = new Map(allPages.map(({ slug, body }) => [slug, body]));
    const declared = new Set([
      ...[openApiDocument, controlDocument].flatMap((of) => listCodes(of("http://localhost"))),
      ...testValues.answer.examples.flatMap((one) => testValues.answer.read(one)?.code ?? []),
    ]);
    expect(declared.size).toBeGreaterThan(20);
    expect([...declared].filter((code) => !slugs.has(`reference/errors/${code}`))).toEqual([]);
    const homeless = causeNames.filter((cause) => {
      const codes = [causes[cause].code ?? partnerOperations.map(({ shapeError }) => shapeError)].flat();
      return !codes.some((code) => slugs.get(`reference/errors/${code}`)?.includes(`id="${cause}"`));
    });
    expect(homeless).toEqual([]);
  });

  test("has no broken links", () => {
    const broken: string[] = [];
    for (const [address, page] of html) {
      for (const [, href = ""] of page.matchAll(/(?:href|src)="([^"]+)"/g)) {
        const { origin, pathname, hash } = new URL(href, `http://help${address}`);
        if (origin !== "http://help") continue;
        const target = html.get(pathname);
        const file = path.join(OUT, decodeURIComponent(pathname.replace(/^\/help\//, "")));
        if (target === undefined && !(pathname.startsWith("/help/") && existsSync(file)))
          broken.push(`${address} → ${href}`);
        else if (target && hash && !target.includes(`id="${decodeURIComponent(hash.slice(1))}"`))
          broken.push(`${address} → ${href}`);
      }
    }
    expect(broken).toEqual([]);
  });

  test("runs scripts only from files, as the service's policy requires", () => {
    for (const [address, page] of html) {
      expect([address, page.match(/<script(?![^>]*\bsrc=)[^>]*>/g)]).toEqual([address, null]);
      expect([address, page.match(/\son\w+="/g)]).toEqual([address, null]);
    }
    const { html: moved, scripts } = withoutInlineScripts(
      '<script type="module">go()</script><script src="/a.js"></script>',
    );
    expect(moved).toMatch(
      /^<script type="module" src="\/help\/_astro\/inline\.\w+\.js"><\/script><script src="\/a\.js"><\/script>$/,
    );
    expect([...scripts.values()]).toEqual(["go()"]);
  });

  test("shows curl calls in each language, and keeps commands that need a shell", () => {
    const page = html.get("/help/how-to/authenticate/") ?? "";
    const tabs = [...page.matchAll(/<a role="tab"[^>]*>([^<]*)</g)].map(([, label = ""]) => label.trim());
    expect(tabs).toEqual(["curl", "Node", "Python", "PowerShell"]);
    const call = "curl -X POST http://127.0.0.1:4026/api/2026-01/businesses.list -H 'x-a: 1' -d '{\"a\": \"b\"}'";
    const tabbed = withTabs(`A \`{key}\`, {braces}, 1 < 2 and <a id="x"></a>.\n\n\`\`\`sh\n${call}\n\`\`\`\n`);
    expect(tabbed).toContain('A `{key}`, \\{braces\\}, 1 \\< 2 and <a id="x"></a>.');
    expect(tabbed).toContain('body: `{"a": "b"}`,');
    expect(tabbed).toContain(`data='{"a": "b"}'.encode(),`);
    for (const code of [`${call} | jq .`, `CALL=$(${call})`, `curl $BASE/x`, `${call}\n${call}`, "sandbox --memory"])
      expect([code, withTabs(`\`\`\`sh\n${code}\n\`\`\`\n`)]).toEqual([code, null]);
  });

  test("shows each block of a guide in each language", () => {
    for (const { file, blocks } of guides) {
      const { slug } = Object.values(sources).find((one) => one.file === file) ?? { slug: "" };
      const tabs = [...(html.get(`/help/${slug}/`) ?? "").matchAll(/<a role="tab"[^>]*>([^<]*)</g)];
      const labels = languages.map(({ label }) => label);
      expect([file, tabs.map(([, label = ""]) => label.trim())]).toEqual([file, blocks.flatMap(() => labels)]);
    }
  });

  test("shows each picture in the theme of the page", () => {
    for (const [address, page] of html) {
      const pictures = [...page.matchAll(/<img class="(\w+):sl-hidden"[^>]*src="[^"]+-(light|dark)\.webp"/g)];
      const all = page.match(/src="\/help\/pictures\//g) ?? [];
      expect([address, pictures.length]).toEqual([address, all.length]);
      for (const [, hidden, shown] of pictures) expect(hidden).not.toBe(shown);
    }
    expect(html.get("/help/reference/explorer/")).toContain("job-dark.webp");
  });

  test("has each page as Markdown, listed in llms.txt", () => {
    const listed = read("llms.txt");
    for (const { slug, title } of allPages) {
      expect(read(path.join(slug, "index.md"))).toMatch(`# ${title}\n`);
      if (slug !== "") expect(listed).toContain(`](/help/${slug}/index.md)`);
    }
  });

  test("offers a search if an address has no page", () => {
    const page = read("404.html");
    expect(page).toContain("No page of the help has this address.");
    expect(page).toContain("<help-search ");
  });

  test("contains the words that people search for", () => {
    const parts: readonly { id: string; heading: string; text: string }[] = JSON.parse(read("search.json"));
    const words = [
      ...["pagination", "postman", "versioning", "pytest", "refund", "polling", "idempotency", "proxy"],
      ...["ngrok", "tunnel", "swagger", "maven", "jwt", "golang"],
    ];
    const missing = words.filter(
      (word) => !parts.some(({ heading, text }) => `${heading} ${text}`.toLowerCase().includes(word)),
    );
    expect(missing).toEqual([]);
  });

  test("search results point to the right part of a page", () => {
    const parts: readonly { id: string }[] = JSON.parse(read("search.json"));
    expect(parts.length).toBeGreaterThan(300);
    const lost = parts.filter(({ id }) => {
      const [address = "", place] = id.split("#");
      return place !== undefined && !html.get(address)?.includes(`id="${place}"`);
    });
    expect(lost).toEqual([]);
  });
});
