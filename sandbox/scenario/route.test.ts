import { expect, it } from "vitest";
import { okAnswer, receiver } from "../testing/scripted-receiver.ts";
import { ScenarioClient } from "./scenario-client.ts";

it("skips unrequested interim responses", async () => {
  const { port, seen } = await receiver((socket, _, count) =>
    socket.write(`HTTP/1.1 100 Continue\r\n\r\n${okAnswer(`${count}`)}`),
  );
  const client = ScenarioClient.reaching(`http://127.0.0.1:${port}`, null);
  for (const body of [1, 2]) expect(await client.post("/", {}, "{}")).toMatchObject({ status: 200, body });
  expect(seen.requests).toBe(2);
});
