// @vitest-environment jsdom
import { cleanup, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import type { RequestDetail } from "../../../../sandbox/contract/control/rows.ts";
import { Dialog } from "../../../components/dialog.tsx";
import { takeToken } from "../../../lib/session.ts";
import { show } from "../../../testing/shown.tsx";
import { SendForm } from "./send-form.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it("begins in its first field, not on the button that closes it", async () => {
  takeToken("token");
  vi.stubGlobal("fetch", async () => Response.json({ items: [] }));
  const detail = { id: "one", method: "POST", path: "/", request_headers: [], request_body_base64: "" };
  show(
    <Dialog opened onClose={() => undefined} title="Edit and send">
      <SendForm detail={detail as unknown as RequestDetail} correction={null} onSent={() => undefined} />
    </Dialog>,
  );
  const first = screen.getByRole("combobox", { name: "World" });
  await waitFor(() => expect(document.activeElement).toBe(first));
});
