import type { FastifyRequest } from "fastify";
import { expect, test } from "vitest";
import { findCalledWorld, isInWorld } from "./called-world.ts";

const request = (method: string, url: string, world: string | null, is404 = false) => {
  const query = Object.fromEntries(new URL(url, "http://x").searchParams);
  return {
    method,
    url,
    is404,
    query,
    headers: world ? { "x-sandbox-tenant": world } : {},
  } as unknown as FastifyRequest;
};
const isUnrouted = true;

test.each([
  // The world of a partner's call is in its header, whatever its address says.
  ["POST", "/api/x?world=address", "header", "header", true],
  ["POST", "/__extensions/x?world=address", null, "default", true],
  ["POST", "/__webhooks/subscribe?world=address", "header", "header", true],
  // The test receiver prefers its address, like a picture's upload, which has no header.
  ["POST", "/__webhooks/sink?world=address", "header", "address", true],
  ["POST", "/__webhooks/sink", "header", "header", true],
  ["PUT", "/__uploads/x?world=address", "header", "address", true],
  ["PUT", "/__uploads/x", "header", "default", true],
  ["POST", "/__receiver/x", "header", "default", true],
  ["GET", "/__oauth/authorize", "header", "header", true],
  // A consent form names its world in the body.
  ["POST", "/__oauth/authorize", "header", "header", false],
  ["POST", "/__sandbox/requests.list?world=address", "header", "address", false],
  ["GET", "/anything", "header", "header", false],
])("%s %s with the header %s is in world %s: %s", (method, url, header, world, isIn) => {
  const called = request(method, url, header);
  expect([findCalledWorld(called), isInWorld(called)]).toEqual([world, isIn]);
});

test.each([
  ["POST", "/nothing?world=address", true],
  ["GET", "/nothing?world=address", false],
  ["POST", "/__sandbox/nothing?world=address", false],
])("%s %s, which has no route, is in the world of its header: %s", (method, url, isIn) => {
  const called = request(method, url, "header", isUnrouted);
  expect([findCalledWorld(called), isInWorld(called)]).toEqual(["header", isIn]);
});
