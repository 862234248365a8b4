import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { UploadSigner } from "./upload-signature.ts";

describe("the signature of an upload address", () => {
  const signer = new UploadSigner(() => "key of this folder");

  it("D64: is valid only for its ID and expiry", () => {
    fc.assert(
      fc.property(fc.uuid(), fc.nat(), fc.uuid(), fc.nat(), (id, expires, otherId, otherExpires) => {
        const signature = signer.sign(id, expires);
        expect(signer.verify(id, expires, signature)).toBe(true);
        expect(signer.verify(otherId, expires, signature)).toBe(otherId === id);
        expect(signer.verify(id, otherExpires, signature)).toBe(otherExpires === expires);
      }),
    );
  });

  it("is valid only for one folder's key, and only unchanged", () => {
    const signature = signer.sign("id", 1);
    expect(new UploadSigner(() => "another key").verify("id", 1, signature)).toBe(false);
    for (const altered of ["", signature.slice(1), `${signature}=`, signature.toUpperCase(), ` ${signature}`])
      expect(signer.verify("id", 1, altered), altered).toBe(false);
    expect(encodeURIComponent(signature)).toBe(signature);
  });
});
