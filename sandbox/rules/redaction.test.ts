import { describe, expect, it } from "vitest";
import { redactedBytes, redactor, secretParameters, withoutParameters } from "./redaction.ts";

const FILLING = "••••••••";

describe("an address", () => {
  it.each([
    ["/x?token=abc&a=1", `/x?token=${FILLING}&a=1`],
    ["/x?a=1&API_KEY=abc#top", `/x?a=1&API_KEY=${FILLING}#top`],
    [
      "/x?access-code=1&postcode=AB1&auth=2&author=me",
      `/x?access-code=${FILLING}&postcode=AB1&auth=${FILLING}&author=me`,
    ],
    ["/x?password=a?b=c&d=e", `/x?password=${FILLING}&d=e`],
    ["/x?to=http://y/?code=abc", `/x?to=http://y/?code=${FILLING}`],
    ["/x#access_token=abc", `/x#access_token=${FILLING}`],
    ["/x?key=", `/x?key=${FILLING}`],
  ])("shows no value whose parameter is named like a secret: %s", (address, masked) => {
    expect(withoutParameters(address)).toBe(masked);
  });

  it.each(["", "/", "/x?", "/x?=&&=?#", "/x?a=1&monkeys=2", "token=outside"])("stays as it is: %s", (address) => {
    expect(withoutParameters(address)).toBe(address);
  });

  it("gives its secrets out, as they are written and as they are read", () => {
    expect(secretParameters("https://x/?sig=a%20b?c&n=1&my.token=d#key=e")).toEqual(["a%20b?c", "a b?c", "d", "e"]);
  });
});

describe("a text", () => {
  it("shows no given secret, and nothing that looks like one of the service", () => {
    const redact = redactor(["hunter-22 (own)", "hunter-22", "x"]);
    expect(redact('{"a":"hunter-22 (own)","b":"hunter-22.","c":"x"}')).toBe(
      `{"a":"${FILLING}own)","b":"${FILLING}.","c":"x"}`,
    );
    expect(redact("Bearer sbx_7d41f0b9c2e84a5396d8b7135fae0c21 and sbx_short")).toBe(
      `Bearer sbx_${FILLING}0c21 and sbx_short`,
    );
    expect(redactor([])("nothing to see, basic_access_authentication_of_the_service")).toBe(
      "nothing to see, basic_access_authentication_of_the_service",
    );
  });

  it("shows no signature of an upload address, as it is, in JSON or in another address", () => {
    const url = "http://127.0.0.1:1/__uploads/1?expires=1&signature=Qm7vT2xK9cRz4LdW8nHsYb1EfJgU6aPo3iXwVtM5kNA";
    for (const text of [url, url.replace("&", "\\u0026"), JSON.stringify({ upload_url: url })])
      expect(redactor([])(text)).toContain(`signature=${FILLING}`);
    expect(redactor([])(encodeURIComponent(url))).toContain(`signature%3D${FILLING}`);
  });
});

it("masks bytes that are no text, and leaves those without a secret as they are", () => {
  const redact = redactor(["a-secret-of-theirs"]);
  const latin = Buffer.from("\xff a-secret-of-theirs \xff", "latin1");
  expect(redactedBytes(latin, redact).toString("latin1")).toBe("\xff ********heirs \xff".replace("heirs", "eirs"));
  const plain = Buffer.from([0, 255, 128]);
  expect(redactedBytes(plain, redact)).toBe(plain);
});
