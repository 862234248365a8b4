import type { Page } from "@playwright/test";
import { fixedCredentials } from "../../sandbox/contract/demo-values.ts";
import { expect, expectAccessible, test } from "../fixtures/explorer.ts";
import { ConsolePage } from "../pages/console-page.ts";
import { ImportDialog } from "../pages/import-dialog.ts";

const { repairer } = fixedCredentials;
const path = "/api/2026-01/repairer.jobs.get";
const body = '{"identity":{"external":"estimate:88213"}}';
const curl = (origin: string, key: string) =>
  [
    `curl -k -X 'POST' '${origin}${path}' \\`,
    `  -H 'authorization: Bearer ${key}' \\`,
    `  -H 'service-integration-id: ${repairer.integration_id}' \\`,
    "  -H 'content-type: application/json' -H 'x-trace: 7' \\",
    `  --data-raw '${body}'`,
  ].join("\n");

/** Returns everything that the page stores. */
const readStorage = (page: Page): Promise<string> =>
  page.evaluate(() => JSON.stringify([{ ...window.localStorage }, { ...window.sessionStorage }, window.location.href]));

test("a call is imported from a cURL command with a key of this world, or from a HAR file, and sent unchanged", async ({
  explorer,
  service,
}) => {
  const [console, dialog] = [new ConsolePage(explorer), new ImportDialog(explorer)];
  await console.goto();
  await dialog.open();
  await dialog.paste(curl(service.ready.base_url, repairer.api_key));
  await expect(dialog.read).toContainText("cURL: 1 call");
  await expect(dialog.leftOut).toContainText("-k");
  await expectAccessible(explorer);
  await dialog.openInConsole();
  await expect(explorer).toHaveURL(/\/console\/repairer\.jobs\.get(?!.*import)/);
  await expect(console.operation.getByRole("textbox", { name: "Custom headers" })).toHaveValue("x-trace: 7");
  await console.send();
  await console.expectAnswer(200, "J-20418");
  expect(await readStorage(explorer)).not.toContain(repairer.api_key);

  // One call of a HAR file can be chosen.
  await dialog.open();
  const entry = (url: string, text: string) => ({ request: { method: "POST", url, headers: [], postData: { text } } });
  const { base_url } = service.ready;
  const entries = [
    entry(`${base_url}/api/2026-01/businesses.list`, "{}"),
    entry(base_url + path, body),
    entry(`${base_url}/elsewhere`, ""),
  ];
  await dialog.choose("calls.har", JSON.stringify({ log: { entries } }));
  await expect(dialog.read).toContainText("HAR: 3 calls");
  await dialog.take(/repairer\.jobs\.get/);
  await expect(dialog.dialog.getByText("Read job", { exact: true })).toBeVisible();
  await dialog.take(/elsewhere/);
  await expect(dialog.dialog.getByText("Read job", { exact: true })).toHaveCount(0);
  await expect(dialog.openButton).toBeDisabled();
  await dialog.take(/repairer\.jobs\.get/);
  await dialog.openInConsole();
  await expect.poll(() => console.body()).toEqual(JSON.parse(body));
});
