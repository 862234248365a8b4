import { describe, expect, it } from "vitest";
import { ServiceFailure } from "../../lib/service-failure.ts";
import { subscribeFailure } from "./subscribing.tsx";

describe("a refused subscription", () => {
  it("keeps the service's status and reason and adds a remedy", () => {
    const failure = subscribeFailure(new ServiceFailure(400, "url_not_loopback", ""), "http://example.com/hooks");
    expect(failure).toMatchObject({ status: 400, code: "url_not_loopback" });
    expect(failure.message).toContain("only sends to this machine");
  });

  it("mentions the valid ports, because an invalid one has the same reason", () => {
    for (const reason of ["url_not_loopback", "https_required"])
      expect(subscribeFailure(new ServiceFailure(400, reason, ""), "http://192.0.2.1/").message).toContain(
        "a port from 1 to 65535",
      );
  });

  it("passes on an unknown reason in the service's words", () => {
    const failure = new ServiceFailure(503, "storage_unavailable", "Nothing was changed.");
    expect(subscribeFailure(failure, "http://127.0.0.1:1/").message).toBe("Nothing was changed.");
  });

  it("names a user name or password in the URL", () => {
    for (const reason of ["url_not_loopback", "https_required"])
      expect(subscribeFailure(new ServiceFailure(400, reason, ""), "https://user:pw@127.0.0.1:9999/").message).toBe(
        "The url has a user name or a password in it, which is not allowed.",
      );
  });
});
