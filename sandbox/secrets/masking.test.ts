import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  createRedactor,
  isCut,
  listSecretParameters,
  maskAddress,
  maskBody,
  maskHeader,
  maskKnown,
  maskParameters,
  maskSecretBody,
  readSecrets,
  redactBytes,
  redactJson,
  registerSecrets,
} from "./masking.ts";

const SECRET = "cs_demo_4f1c9a7e2b8d4063a5be71c0d93f6e28";
const FILLING = "••••••••";
const fields = ["client_secret", "api_key", "access_code", "secret"] as const;

describe("a stored body", () => {
  it("is unchanged except for its secrets, which show prefix and last four characters", () => {
    for (const field of fields) {
      expect(maskBody(`{"client_id":"demo","${field}":"${SECRET}","n":1.0}`)).toBe(
        `{"client_id":"demo","${field}":"cs_${FILLING}6e28","n":1.0}`,
      );
    }
    for (const text of ["", "{}", "null", '{"integration_id":"x"}', '{ "client_id" : "demo" }'])
      expect(maskBody(text)).toBe(text);
  });

  it("contains no secret in any JSON format, nested or repeated", () => {
    for (const text of [
      `{"client_secret"  :\n\t"${SECRET}"}`,
      `\r\n{ "a": [ { "client_secret" :"${SECRET}" } ], "api_key":"${SECRET}" }`,
      `{"client_secret":"${SECRET}","client_secret":"${SECRET}"}`,
      `[{"secret":"${SECRET}"},{"secret":"${SECRET}"}]`,
      `{"client_secret":"","api_key":"${SECRET}"}`,
    ]) {
      expect(maskBody(text), text).not.toContain(SECRET);
    }
  });

  it("contains no escaped secret", () => {
    const spelt = [...SECRET]
      .map((character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`)
      .join("");
    const quoted = `${SECRET}\\"${SECRET}\\\\`;
    for (const value of [spelt, quoted]) {
      const masked = maskBody(`{"client_secret":"${value}","client_id":"demo"}`);
      expect(masked).not.toContain(SECRET);
      expect(masked).not.toContain(spelt);
      expect(JSON.parse(masked)).toMatchObject({ client_id: "demo" });
    }
  });

  it("contains no secret under an escaped name", () => {
    for (const field of ["client\\u005fsecret", "\\u0061pi_key", "\\u0073\\u0065\\u0063\\u0072\\u0065\\u0074"]) {
      const text = `{"${field}":"${SECRET}"}`;
      expect(Object.values(JSON.parse(text) as object)).toEqual([SECRET]);
      expect(maskBody(text), text).not.toContain(SECRET);
    }
  });

  it("contains no secret in a value of the wrong type", () => {
    const many = JSON.stringify(Array.from({ length: 20 }, () => SECRET));
    for (const value of [many, `["${SECRET}"]`, `{"value":"${SECRET}"}`, `[[{"x":"${SECRET}"}]]`]) {
      expect(maskBody(`{"client_secret":${value}}`), value).not.toContain(SECRET);
    }
    expect(maskBody('{"client_secret":1234567890123456}')).not.toContain("1234567890123456");
  });

  it("is omitted if it isn't a JSON object, or long, because it may contain a secret anywhere", () => {
    for (const text of [
      SECRET,
      `client_id=demo&client_secret=${SECRET}`,
      `{"client_secret":"${SECRET}`,
      `\ufeff{"client_secret":"${SECRET}"}`,
      `"${SECRET}"`,
      `["client_secret","${SECRET}"]`,
      JSON.stringify({ a: "x".repeat(4_096), client_secret: SECRET }),
    ])
      expect(maskBody(text)).toBe(`(${Buffer.byteLength(text)} bytes, left out because they may hold a secret)`);
  });

  it("stays JSON", () => {
    const text = fc.string({ unit: fc.constantFrom("\\", '"', "a", "é", "\n", "_", "😀"), maxLength: 24 });
    fc.assert(
      fc.property(fc.constantFrom(...fields), text, text, (field, secret, other) => {
        const masked = maskBody(JSON.stringify({ [field]: secret, other }));
        expect(JSON.parse(masked)).toEqual({ [field]: expect.stringContaining(FILLING), other });
      }),
      { numRuns: 400 },
    );
  });

  it("never contains the value of a secret field at any position", () => {
    const secret = fc.stringMatching(/^[a-z]{2}[A-Za-z0-9\\"é]{14,30}$/);
    const nested = (field: string, value: string): fc.Arbitrary<unknown> =>
      fc.constantFrom({ [field]: value }, [{ [field]: value }], { deep: { [field]: value, also: 1 } });
    fc.assert(
      fc.property(
        fc
          .tuple(fc.constantFrom(...fields), secret)
          .chain(([field, value]) => fc.tuple(fc.constant(value), nested(field, value))),
        fc.constantFrom(0, 1, "\t"),
        ([value, body], space) => {
          const masked = maskBody(JSON.stringify(body, null, space));
          expect(masked).not.toContain(value);
          expect(masked).not.toContain(JSON.stringify(value).slice(1, -1));
        },
      ),
    );
  });
});

describe("a body of a call without credentials", () => {
  const own = "a-secret-of-our-own";

  it("is never stored much larger than it was sent", () => {
    const long = `[${'"",'.repeat(350_000)}""]`;
    expect(mask(long).length).toBeLessThan(100);
    expect(Buffer.byteLength(mask(JSON.stringify({ a: Array.from({ length: 1_000 }, () => "") })))).toBeLessThan(
      32_768,
    );
  });
  const mask = (body: string): string => maskSecretBody(body, new Set(["demo"]));

  it("contains only a client's identifier as text, whatever its fields are called", () => {
    for (const text of [
      `{"client_id":"demo","clientSecret":"${own}"}`,
      `{"client":{"id":"demo","secrets":["${own}"]}}`,
      `{"client_id":"${own}","client_secret":"demo"}`,
      `{"clientSecret":"\\u0061${own.slice(1)}","x":"\\"${own}"}`,
      `{"access_code" : "${own}", "client_id" : "demo", "x" : 1.0}`,
      `"${own}"`,
      `["${own}"]`,
      `{"clientSecret":"${own}`,
    ]) {
      expect(mask(text), text).not.toContain(own.slice(1, -4));
    }
    expect(mask(`{ "client_id" : "demo", "clientSecret":"${own}","n":1.0}`)).toBe(
      `{ "client_id" : "demo", "clientSecret":"${FILLING}-own","n":1.0}`,
    );
    for (const text of ["", "{}", "null", '{ "client_id" : "demo" }']) expect(mask(text)).toBe(text);
  });
});

describe("a stored header", () => {
  it("shows the authorization's scheme and the key's prefix and last four characters", () => {
    expect(maskHeader("Authorization", "Bearer sbx_7d41f0b9c2e84a5396d8b7135fae0c21")).toBe(
      `Bearer sbx_${FILLING}0c21`,
    );
    expect(maskHeader("authorization", "bearer  sbx_7d41f0b9c2e84a5396d8b7135fae0c21")).toBe(
      `bearer  sbx_${FILLING}0c21`,
    );
    expect(maskHeader("authorization", "Basic dXNlcjpodW50ZXIy"), "not of this service").toBe(`Basic ${FILLING}ZXIy`);
    expect(maskHeader("AUTHORIZATION", "sbx_7d41f0b9c2e84a5396d8b7135fae0c21")).toBe(`sbx_${FILLING}0c21`);
  });

  it("never contains the whole key at any position", () => {
    for (const value of [
      SECRET,
      `Bearer ${SECRET}`,
      `Bearer ${SECRET} ${SECRET}`,
      `${SECRET} Bearer`,
      `${SECRET} `,
      `Bearer:${SECRET}`,
      `Bearer=${SECRET}`,
      `Basic ${SECRET}==`,
      `Bearer\t${SECRET}`,
      `${SECRET},Bearer ${SECRET}`,
    ]) {
      expect(maskHeader("authorization", value), value).not.toContain(SECRET);
    }
  });

  it("is hidden if its name denotes a secret, as in an address", () => {
    for (const name of ["x-password", "X-Client-Secret", "api_key", "x-auth-token", "x-auth", "access-code", "X-Sig"]) {
      expect(maskHeader(name, "HUNTER2x"), name).toBe(FILLING);
      expect(maskAddress(`/?${name}=HUNTER2x`), name).toBe(`/?${name}=${FILLING}`);
    }
    for (const name of ["x-author", "x-postcode", "x-keyboard"]) expect(maskHeader(name, "plain"), name).toBe("plain");
  });

  it("is shown if its name only resembles a secret's, without this service's secrets", () => {
    for (const name of ["Idempotency-Key", "x-idempotency-key", "sec-websocket-key", "x-error-code", "surrogate_key"])
      expect(maskHeader(name, "3d9c1f"), name).toBe("3d9c1f");
    expect(maskHeader("idempotency-key", SECRET)).not.toContain(SECRET);
    for (const name of ["x-key", "country-api-key", "non-idempotency-secret"])
      expect(maskHeader(name, "3d9c1f")).toBe(FILLING);
  });

  it("is masked in one pass, whatever the length of its name", () => {
    const name = `${"x-password-".repeat(200_000)}x`;
    const began = performance.now();
    expect(maskHeader(name, "plain")).toBe("plain");
    expect(performance.now() - began).toBeLessThan(500);
  });

  it("is hidden if it is a cookie, and else unchanged", () => {
    expect(maskHeader("Cookie", `session=${SECRET}`)).toBe(FILLING);
    expect(maskHeader("service-integration-id", "1f0c9a52-6d3b-4e87-9b1a-2c5d7e8f9a01")).toBe(
      "1f0c9a52-6d3b-4e87-9b1a-2c5d7e8f9a01",
    );
    expect(maskHeader("content-type", "application/json")).toBe("application/json");
    expect(maskHeader("service-hmac-sha256", "q83v")).toBe("q83v");
    expect(maskHeader("x-note", `ac_${"x".repeat(20)}`), "the shortest secret").toBe(`ac_${FILLING}xxxx`);
  });
});

describe("a stored address", () => {
  it("contains no secret, and at most its first 2 KiB", () => {
    expect(maskAddress("/api/x?a=1&key=b")).toBe(`/api/x?a=1&key=${FILLING}`);
    expect(maskAddress(`/api/${SECRET}`)).toBe(`/api/cs_${FILLING}6e28`);
    const longest = `/${"x".repeat(2_047)}`;
    expect(maskAddress(longest)).toBe(longest);
    const long = `/${"x".repeat(2_039)}/${SECRET}`;
    expect(maskAddress(long)).toBe(`/${"x".repeat(2_039)}/cs_••••…`);
    expect([isCut(maskAddress(long)), isCut(maskAddress("/short"))]).toEqual([true, false]);
  });
});

describe("the parameters of an address", () => {
  it.each([
    ["/x?token=abc&a=1", `/x?token=${FILLING}&a=1`],
    ["/x?a=1&API_KEY=abc#top", `/x?a=1&API_KEY=${FILLING}#top`],
    [
      "/x?access-code=1&postcode=AB1&auth=2&author=me",
      `/x?access-code=${FILLING}&postcode=AB1&auth=${FILLING}&author=me`,
    ],
    ["/x?password=a?b=c&d=e", `/x?password=${FILLING}&d=e`],
    ["/x?password=a?key=c&d=e", `/x?password=${FILLING}&d=e`],
    ["/x?to=http://y/?code=abc", `/x?to=http://y/?code=${FILLING}`],
    ["/x#access_token=abc", `/x#access_token=${FILLING}`],
    ["/x?key=", `/x?key=${FILLING}`],
  ])("are masked if named like a secret: %s", (address, masked) => {
    expect(maskParameters(address)).toBe(masked);
  });

  it.each(["", "/", "/x?", "/x?=&&=?#", "/x?a=1&monkeys=2", "token=outside"])("are unchanged: %s", (address) => {
    expect(maskParameters(address)).toBe(address);
  });

  it("yield their secrets, both encoded and decoded", () => {
    expect(listSecretParameters("https://x/?sig=a%20b?c&n=1&my.token=d#key=e")).toEqual(["a%20b?c", "a b?c", "d", "e"]);
  });
});

it("finds a world's secrets in its own columns and in partners' addresses", () => {
  const column = (sql: string) => (sql.endsWith("subscriptions") ? ["https://x/?token=theirs&n=1"] : [sql]);
  expect(readSecrets(column)).toEqual([
    "SELECT api_key FROM credentials",
    "SELECT webhook_secret FROM credentials",
    "SELECT client_secret FROM clients",
    "SELECT code FROM access_codes",
    "theirs",
  ]);
});

describe("a redacted text", () => {
  it("contains neither the given secrets nor those of the service's form", () => {
    const redact = createRedactor(["hunter-22", "hunter-22 (own)", "x"]);
    expect(redact('{"a":"hunter-22 (own)","b":"hunter-22.","c":"x"}')).toBe(
      `{"a":"${FILLING}own)","b":"${FILLING}.","c":"x"}`,
    );
    expect(redact("Bearer sbx_7d41f0b9c2e84a5396d8b7135fae0c21 and sbx_short")).toBe(
      `Bearer sbx_${FILLING}0c21 and sbx_short`,
    );
    expect(createRedactor(["8-chars!", "7-chars"])("8-chars! 7-chars")).toBe(`${FILLING} 7-chars`);
    expect(createRedactor([])("nothing to see, basic_access_authentication_of_the_service")).toBe(
      "nothing to see, basic_access_authentication_of_the_service",
    );
  });

  it("contains no signature of an upload address, even in JSON or inside another address", () => {
    const url = "http://127.0.0.1:1/__uploads/1?expires=1&signature=Qm7vT2xK9cRz4LdW8nHsYb1EfJgU6aPo3iXwVtM5kNA";
    for (const text of [url, url.replace("&", "\\u0026"), JSON.stringify({ upload_url: url })])
      expect(createRedactor([])(text)).toContain(`signature=${FILLING}`);
    expect(createRedactor([])(encodeURIComponent(url))).toContain(`signature%3D${FILLING}`);
  });
});

it("may be binary, and is unchanged without a secret", () => {
  const redact = createRedactor(["a-secret-of-theirs"]);
  const latin = Buffer.from("\xff a-secret-of-theirs \xff", "latin1");
  expect(redactBytes(latin, redact).toString("latin1")).toBe("\xff ********heirs \xff".replace("heirs", "eirs"));
  expect(redactBytes(Buffer.from("ü a-secret-of-theirs"), redact).toString()).toBe(`ü ${FILLING}eirs`);
  const plain = Buffer.from([0, 255, 128]);
  expect(redactBytes(plain, redact)).toBe(plain);
});

it("hides registered secrets everywhere, in addition to those of a world", () => {
  const tokens = ["9Qm7vT2xK9cRz4LdW8nHsYb1EfJgU6aPo3iXwVtM5kNA", "a-second-service's-token-of-this-process"];
  const masks = [maskKnown, maskAddress, (text: string) => maskHeader("x-note", text)];
  for (const mask of masks) for (const token of tokens) expect(mask(`/a ${token}`)).toContain(token);
  registerSecrets(tokens);
  for (const mask of [...masks, createRedactor(["a-world's-own"])])
    for (const token of tokens) expect(mask(`/a ${token} b`)).toBe(`/a ${FILLING}${token.slice(-4)} b`);
  expect(createRedactor(["a-world's-own"])("a-world's-own")).toBe(`${FILLING}-own`);
  registerSecrets([...tokens, "the-token-after-a-rotation"]);
  expect(maskKnown("/a the-token-after-a-rotation")).toBe(`/a ${FILLING}tion`);
});

it("redacts keys as well, and changes nothing else", () => {
  const redact = (one: string) => one.replaceAll("secret", "•");
  expect(redactJson({ "a secret": ["secret", { b: 1 }], c: null }, redact)).toEqual({
    "a •": ["•", { b: 1 }],
    c: null,
  });
  fc.assert(
    fc.property(fc.json(), (text) => {
      // JSON has no -0.
      expect(redactJson(JSON.parse(text), (one) => one)).toEqual(JSON.parse(JSON.stringify(JSON.parse(text))));
    }),
  );
});
