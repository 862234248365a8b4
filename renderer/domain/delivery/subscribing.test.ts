import { describe, expect, it } from "vitest";
import { ServiceFailure } from "../../lib/service-failure.ts";
import { subscribeFailure } from "./subscribing.tsx";

describe("a refused subscription", () => {
  it("keeps the service's status and reason and says what to do about it", () => {
    const failure = subscribeFailure(new ServiceFailure(400, "url_not_loopback", "The service answered 400."));
    expect(failure).toMatchObject({ status: 400, code: "url_not_loopback" });
    expect(failure.message).toContain("only sends to this machine");
  });

  it("names the ports there are: one that cannot be reached is refused for the same reason", () => {
    for (const reason of ["url_not_loopback", "https_required"])
      expect(subscribeFailure(new ServiceFailure(400, reason, "")).message).toContain("a port from 1 to 65535");
  });

  it("leaves a reason it does not know in the service's words", () => {
    expect(subscribeFailure(new ServiceFailure(503, "storage_unavailable", "Nothing was changed.")).message).toBe(
      "Nothing was changed.",
    );
  });
});
