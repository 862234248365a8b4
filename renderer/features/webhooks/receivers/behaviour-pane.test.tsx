// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { afterEach, expect, it, vi } from "vitest";
import { correctBehaviour } from "../../../../sandbox/contract/control/presets.ts";
import type { Receiver } from "../../../../sandbox/contract/control/receiver-operations.ts";
import { takeToken } from "../../../lib/session.ts";
import { show } from "../../../testing/shown.tsx";
import { BehaviourPane } from "./behaviour-pane.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it("sends what was edited with what another caller changed meanwhile", async () => {
  takeToken("token");
  const sent: unknown[] = [];
  const receiver = { id: "r", behaviour: correctBehaviour, counted: 0 } as Receiver;
  vi.stubGlobal("fetch", async (url: string, { body }: RequestInit) => {
    if (url.endsWith("receivers.set")) sent.push(JSON.parse(String(body)));
    return Response.json(receiver);
  });
  let change: (to: Receiver) => void = () => undefined;
  const Page = () => {
    const [now, setNow] = useState(receiver);
    change = setNow;
    return <BehaviourPane receiver={now} />;
  };
  show(<Page />);
  fireEvent.click(screen.getByRole("radio", { name: /^Time out/ }));
  act(() => change({ ...receiver, behaviour: { ...correctBehaviour, verify: !correctBehaviour.verify } }));
  fireEvent.click(screen.getByRole("button", { name: "Change behaviour" }));
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(sent).toMatchObject([{ id: "r", behaviour: { answer: "time_out", verify: !correctBehaviour.verify } }]);
});
