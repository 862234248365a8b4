import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { headingId } from "./headings.ts";
import { fence, fileHref, type Page, pageHref, stacked } from "./page.ts";

const ROOT = path.join(import.meta.dirname, "../..");

/** A Markdown file that becomes a page of the site. */
interface Source {
  /** Path from the checkout's root. */
  readonly file: string;
  readonly slug: string;
  /** Default: its first heading. */
  readonly title?: string;
  /** Neighbouring files to show completely, each with its heading. */
  readonly shows?: readonly (readonly [file: string, heading: string])[];
}

export const sources = {
  home: { file: "docs/README.md", slug: "" },
  firstOrder: { file: "docs/first-order.md", slug: "tutorial/first-order" },
  start: { file: "docs/install.md", slug: "how-to/start" },
  authentication: { file: "docs/authentication.md", slug: "how-to/authenticate" },
  lists: { file: "docs/lists-and-retries.md", slug: "how-to/lists-and-retries" },
  clients: { file: "docs/openapi-and-clients.md", slug: "how-to/openapi-and-clients" },
  receiver: {
    file: "docs/write-a-receiver/README.md",
    slug: "how-to/write-a-receiver",
    shows: [
      ["receiver.mjs", "Node"],
      ["receiver.py", "Python"],
      ["drills.mjs", "The check"],
    ],
  },
  verify: {
    file: "docs/verify-a-webhook/README.md",
    slug: "how-to/verify-webhooks",
    shows: [
      ["verify-webhook.ts", "TypeScript"],
      ["verify-webhook.mjs", "JavaScript"],
      ["verify_webhook.py", "Python"],
      ["verify_webhook.go", "Go"],
      ["VerifyWebhook.cs", "C#"],
      ["VerifyWebhook.java", "Java"],
      ["verify_webhook.php", "PHP"],
      ["verify_webhook.rb", "Ruby"],
    ],
  },
  receive: { file: "docs/webhooks.md", slug: "how-to/receive-webhooks" },
  versions: { file: "docs/versions.md", slug: "reference/versions" },
  faults: { file: "docs/faults-and-clock.md", slug: "how-to/faults-and-clock" },
  testValues: {
    file: "docs/test-values/README.md",
    slug: "how-to/use-test-values",
    shows: [
      ["order-test.mjs", "Node"],
      ["order_test.py", "Python"],
    ],
  },
  install: { file: "docs/install-an-integration.md", slug: "how-to/install-an-integration" },
  reproduce: { file: "docs/reproduce-a-failure.md", slug: "how-to/reproduce-a-failure" },
  ci: { file: "docs/continuous-integration.md", slug: "how-to/run-in-ci" },
  languages: {
    file: "docs/test-from-other-languages/README.md",
    slug: "how-to/test-from-other-languages",
    shows: [
      ["order.py", "Python"],
      ["Order.java", "Java"],
      ["Order.cs", "C#"],
      ["order.php", "PHP"],
      ["order.mjs", "Bun and Node"],
    ],
  },
  containers: {
    file: "docs/containers/README.md",
    slug: "how-to/run-in-containers",
    shows: [
      ["compose.yaml", "Docker Compose"],
      ["github.yaml", "GitHub Actions"],
      ["gitlab.yaml", "GitLab"],
      ["webhook-test.mjs", "The program they run"],
      ["webhook.test.mjs", "Testcontainers in Node"],
      ["WebhookTest.java", "Testcontainers in Java"],
      ["WebhookTest.cs", "Testcontainers in .NET"],
    ],
  },
  share: { file: "docs/share-with-partners.md", slug: "how-to/share-with-partners" },
  backup: { file: "docs/back-up-and-upgrade.md", slug: "how-to/back-up-and-upgrade" },
  changelog: { file: "CHANGELOG.md", slug: "reference/changelog" },
  deploy: { file: "docs/deploy.md", slug: "how-to/deploy" },
  cluster: { file: "docs/cluster.md", slug: "how-to/run-on-several-machines" },
  troubleshooting: { file: "docs/troubleshooting.md", slug: "how-to/troubleshooting" },
  assistants: { file: "docs/assistants.md", slug: "how-to/use-an-assistant" },
  package: { file: "build/npm/README.md", slug: "reference/npm-package", title: "The npm package" },
  concepts: { file: "docs/concepts.md", slug: "explanation/concepts" },
  explorer: { file: "docs/guide.md", slug: "reference/explorer" },
  scenarios: { file: "docs/scenarios/README.md", slug: "reference/scenario-files" },
} as const satisfies Readonly<Record<string, Source>>;

const slugs = new Map<string, string>(Object.values(sources).map(({ file, slug }) => [file, slug]));
const LINK = /(?<!`)(!?)\[((?:[^\]]|\\\])*)\]\(([^)\s]+)\)/g;
/** Files for download: scenarios, their schema and programs. */
const DOWNLOADS =
  /^docs\/((scenarios|verify-a-webhook|write-a-receiver|test-values|test-from-other-languages|containers|deploy)\/[\w./-]+\.(json|mjs|ts|py|go|cs|java|php|rb|cfg|conf|yaml))$/;

/** Converts a file's link to an address of the site. @throws for a missing target */
const resolveLink = (target: string, { file, shows = [] }: Source): string => {
  if (/^(https?:|#|\/)/.test(target)) return target;
  const [to = "", anchor] = target.split("#");
  const shown = shows.find(([name]) => name === to);
  if (shown) return `#${headingId(shown[1])}`;
  const found = path.posix.join(path.posix.dirname(file), to);
  const picture = /^docs\/(pictures\/.+)$/.exec(found)?.[1];
  if (picture) return `/help/${picture}`;
  const slug = slugs.get(found);
  // The only part of the README with links to it is its table of keys.
  if (found === "README.md") return pageHref("reference/demo-values");
  if (slug !== undefined) return pageHref(slug) + (anchor === undefined ? "" : `#${anchor}`);
  const download = DOWNLOADS.exec(found)?.[1];
  if (download && existsSync(path.join(ROOT, found))) return fileHref(download);
  throw new Error(`${file} links to ${target}, which is no page or file of the site.`);
};

const fileLanguage = (file: string): string =>
  ({ mjs: "js", py: "python", cs: "csharp", rb: "ruby" })[path.extname(file).slice(1)] ?? path.extname(file).slice(1);

/** Builds a page from its file. The title defaults to the first heading; the description is the first sentence. */
export const writtenPage = (source: Source): Page => {
  const { file, slug, shows = [] } = source;
  const text = readFileSync(path.join(ROOT, file), "utf8");
  const [, heading = "", written = ""] = /^# (.+)\n+([\s\S]*)$/.exec(text) ?? [];
  const plain = written.replaceAll(/<!--[\s\S]*?-->\n?/g, "");
  const folder = path.posix.dirname(file);
  const code = shows.map(([name, heading]) =>
    stacked(
      `## ${heading}`,
      `[Download ${name}](${resolveLink(name, { file, slug })})`,
      fence(fileLanguage(name), readFileSync(path.join(ROOT, folder, name), "utf8")),
    ),
  );
  const body = plain.replaceAll(LINK, (_, mark, words, target) => `${mark}[${words}](${resolveLink(target, source)})`);
  const [first = ""] = plain
    .replaceAll("\n", " ")
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, "$1")
    .split(/(?<=\.) /);
  return {
    slug,
    title: source.title ?? heading,
    description: first.replaceAll("`", ""),
    body: stacked(body.trim(), ...code),
  };
};

/** Returns the files that a page offers for download, by their name on the site. */
export const findDownloads = (body: string): readonly string[] =>
  [...body.matchAll(/\(\/help\/files\/([^)#]+)\)/g)].map(([, name = ""]) => name);
