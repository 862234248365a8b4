import { describe, expect, it } from "vitest";
import { headersProblem, resolveRoute } from "./scenario-reach.ts";

const reach = {
  address: "http://127.0.0.1:4026",
  baseUrl: "https://sandbox.example",
  prepared: new Set(["https://storage.example/put?signature=x"]),
};

describe("addresses that a scenario may call (D89)", () => {
  it("are its own service's, under both its addresses, and those of prepared uploads", () => {
    for (const [route, address] of [
      ["/api/2026-01/repairer.jobs.get?x", "http://127.0.0.1:4026/api/2026-01/repairer.jobs.get?x"],
      ["/nowhere/__sandboxes", "http://127.0.0.1:4026/nowhere/__sandboxes"],
      ["https://sandbox.example/__uploads/1?signature=x", "https://sandbox.example/__uploads/1?signature=x"],
      ["https://storage.example/put?signature=x", "https://storage.example/put?signature=x"],
    ])
      expect(resolveRoute(route ?? "", reach)).toEqual({ address });
  });

  it("exclude every other address, in any notation", () => {
    for (const route of [
      "http://169.254.169.254/latest/api/token",
      "@169.254.169.254/",
      "https://sandbox.example@169.254.169.254/",
      "https://storage.example/put?signature=y",
      "http://127.0.0.1:4027/",
      "file:///etc/passwd",
      "",
    ])
      expect(resolveRoute(route, reach), route).toHaveProperty("problem");
    expect(resolveRoute("//169.254.169.254/", reach)).toEqual({ address: "http://127.0.0.1:4026//169.254.169.254/" });
  });

  it("exclude the control plane, in any notation", () => {
    for (const path of ["__sandbox/service.erase", "x/../__sandbox/mcp", "%5f%5fsandbox/live", "a//__SANDBOX/x"])
      for (const route of [`/${path}`, `https://sandbox.example/${path}`, `/${path.replaceAll("/", "\\")}`])
        expect(resolveRoute(route, reach), route).toHaveProperty("problem");
  });

  it("exclude other worlds; an invalid name is left to the service", () => {
    expect(headersProblem({ "X-Sandbox-Tenant": "default" })).toMatch(/names the world default/);
    expect(headersProblem({ "x-sandbox-tenant": "no world!", "x-note": "default" })).toBeNull();
    expect(headersProblem({ "x-note": "default" })).toBeNull();
  });
});
