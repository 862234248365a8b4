import { describe, expect, it } from "vitest";
import { maskHeader } from "./headers-view.tsx";

const KEY = "isk_7d41f0b9c2e84a5396d8b7135fae0c21";

describe("a header that carries a credential", () => {
  it("shows its scheme and a recognisable part of the key", () => {
    expect(maskHeader("Authorization", `Bearer ${KEY}`)).toBe("Bearer isk_••••••••0c21");
    expect(maskHeader("authorization", KEY)).toBe("isk_••••••••0c21");
  });

  it("hides a cookie completely", () => {
    for (const value of ["session=abc", "session=abc; Path=/; HttpOnly", "session=abc; Max-Age=3600; SameSite=Lax"])
      expect(maskHeader("Set-Cookie", value)).toBe("••••••••");
    expect(maskHeader("cookie", "session=abc; theme=dark")).toBe("••••••••");
  });

  it("hides a password completely", () => {
    expect(maskHeader("authorization", "Basic dXNlcjpwYXNzd29yZA==")).toBe("Basic ••••••••");
    expect(maskHeader("proxy-authorization", "Digest username=u, response=6629fae4")).toBe("Digest ••••••••");
  });

  it("shows other headers unchanged", () => {
    expect(maskHeader("service-hmac-sha256", "q83v=")).toBe("q83v=");
  });
});
