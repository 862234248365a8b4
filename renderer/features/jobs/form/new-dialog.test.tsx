// @vitest-environment jsdom
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { takeToken } from "../../../lib/session.ts";
import "../../../testing/fresh-window.ts";
import { show } from "../../../testing/shown.tsx";
import { NewJobDialog } from "./job-dialogs.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const key = (organization: string, preloaded: boolean) => ({
  ...{ integration_id: organization, organization_id: organization, organization_name: organization },
  ...{ scope: "repairer", api_key: "k", preloaded },
});

it("keeps the chosen buyer over a reload", async () => {
  takeToken("token");
  vi.stubGlobal("fetch", async (url: string) =>
    Response.json({ items: url.endsWith("credentials.list") ? [key("Tarn", true), key("Brindle", false)] : [] }),
  );
  const opened = async () => {
    show(<NewJobDialog opened onClose={() => undefined} />);
    return screen.findByRole<HTMLInputElement>("combobox", { name: "Send as" });
  };
  const buyer = await opened();
  expect(buyer.value).toBe("Tarn");
  fireEvent.click(buyer);
  fireEvent.click(await screen.findByRole("option", { name: "Brindle", hidden: true }));
  cleanup();
  expect((await opened()).value).toBe("Brindle");
});
