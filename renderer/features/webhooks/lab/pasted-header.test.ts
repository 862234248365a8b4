import { describe, expect, it } from "vitest";
import { readHeader } from "./pasted-header.ts";

const VALUE = "CFdFr1wFRkYxUwT0k8Zq1v5f3nYb7kQxU2mL9aPnHTc=";

describe("the signature in what was pasted", () => {
  it("is the value alone, or the value under the right name in any case", () => {
    for (const pasted of [
      VALUE,
      `  ${VALUE}\n`,
      `service-hmac-sha256: ${VALUE}`,
      `Service-Hmac-SHA256:${VALUE}`,
      `POST /hooks HTTP/1.1\r\nhost: 127.0.0.1:8787\r\nservice-hmac-sha256: ${VALUE}\r\ncontent-type: application/json`,
      `curl http://x \\\n  -H 'content-type: application/json' \\\n  -H 'service-hmac-sha256: ${VALUE}' \\`,
      `{\n  "host": "x",\n  "service-hmac-sha256": "${VALUE}",\n  "accept": "*/*"\n}`,
    ])
      expect(readHeader(pasted), pasted).toEqual({ kind: "found", value: VALUE });
  });

  it("is not there when nothing was pasted, or nothing stands behind the name", () => {
    for (const pasted of ["", " \n ", "service-hmac-sha256:", "service-hmac-sha256:   \nhost: x"])
      expect(readHeader(pasted), pasted).toEqual({ kind: "none" });
  });

  it("is found under another name, by the name or by its look", () => {
    expect(readHeader(`X-Hub-Signature-256: sha256=${VALUE}`)).toEqual({
      kind: "misnamed",
      name: "X-Hub-Signature-256",
      value: `sha256=${VALUE}`,
    });
    expect(readHeader(`host: x\nx-webhook: ${VALUE}`)).toEqual({ kind: "misnamed", name: "x-webhook", value: VALUE });
    expect(readHeader(`service_hmac_sha256: ${VALUE}`)).toMatchObject({
      kind: "misnamed",
      name: "service_hmac_sha256",
    });
  });

  it("is not taken from headers that are no signature, a key of the API least of all", () => {
    expect(readHeader("host: 127.0.0.1\ncontent-length: 430")).toEqual({
      kind: "others",
      names: ["host", "content-length"],
    });
    expect(readHeader("authorization: sbx_7d41f0b9c2e84a5396d8b7135fae0c21")).toMatchObject({ kind: "others" });
  });
});
