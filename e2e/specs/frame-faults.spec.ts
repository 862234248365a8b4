import { ControlProgram } from "../fixtures/control-program.ts";
import { expect, expectAccessible, test } from "../fixtures/explorer.ts";
import { FramePage } from "../pages/frame-page.ts";
import { NoticesPage } from "../pages/notices-page.ts";

test("an armed fault is shown on every place until it is used up, or all are cleared", async ({
  explorer,
  service,
}) => {
  const program = new ControlProgram(service.ready);
  const frame = new FramePage(explorer);
  const banner = frame.banner("Active faults");
  await frame.expectConnection("Live");
  await expect(banner).toHaveCount(0);
  await program.arm("repairer.jobs.insert", { error: { code: "unavailable", status: 503 } }, 2);
  await expect(banner).toContainText("1 active fault");
  await expect(banner).toContainText("repairer.jobs.insert");
  await expect(banner).toContainText("2 calls left");
  await expectAccessible(explorer);
  await frame.goTo("Jobs");
  await expect(program.insertJob("default", "FAULTY-1")).rejects.toThrow("503");
  await expect(banner).toContainText("1 hit, 1 call left");
  await expect(program.insertJob("default", "FAULTY-2")).rejects.toThrow("503");
  await expect(banner).toHaveCount(0);

  await program.arm("repairer.jobs.insert", { drop: {} }, 5);
  await program.arm("*", { delay: { ms: 20 } }, 1000);
  await expect(banner).toContainText("2 active faults");
  await explorer.emulateMedia({ colorScheme: "dark" });
  await expectAccessible(explorer);
  await banner.getByRole("button", { name: "Clear all" }).click();
  await expect(banner).toHaveCount(0);
  await expect(new NoticesPage(explorer).toast("faults cleared")).toBeVisible();
  await program.insertJob("default", "SOUND-1");

  // On a reused connection, the browser itself would retry the request.
  await program.arm("businesses.list", { drop: { when: "after" } }, 1);
  const { api_key = "", integration_id = "" } = service.ready.credentials?.repairer ?? {};
  const calls = await explorer.evaluate(
    async (headers) => {
      const call = () => fetch("/api/2026-01/businesses.list", { method: "POST", headers, body: "{}" });
      const outcome = () =>
        call().then(
          ({ status }) => status,
          () => "no response",
        );
      return [await outcome(), await outcome()];
    },
    {
      "content-type": "application/json",
      authorization: `Bearer ${api_key}`,
      "service-integration-id": integration_id,
    },
  );
  expect(calls).toEqual(["no response", 200]);
});
