import net from "node:net";
import tls from "node:tls";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { type Certificate, makeCertificate } from "../testing/certificate.ts";
import { listen, okAnswer, one, receiver } from "../testing/scripted-receiver.ts";
import type { Outcome } from "./connection.ts";

describe("TLS", () => {
  const DAY = 86_400_000;
  const now = Date.now();
  const valid = { validFrom: now - DAY, validUntil: now + DAY };
  const trusted = tls.getCACertificates("default");
  let issuer: Certificate;
  beforeAll(() => {
    issuer = makeCertificate({ name: "Test Issuer", ...valid });
  });
  afterEach(() => tls.setDefaultCACertificates(trusted));

  const tried = async (certificate: Certificate): Promise<Outcome> => {
    const { port } = await receiver((socket) => socket.write(okAnswer()), certificate);
    return one(`https://127.0.0.1:${port}/`);
  };

  it("connects to a receiver whose certificate is in order", async () => {
    tls.setDefaultCACertificates([...trusted, issuer.cert]);
    expect(await tried(makeCertificate({ name: "127.0.0.1", issuer, ...valid }))).toMatchObject({
      status: 200,
      error: null,
    });
  });

  it.each<[string, () => Promise<Certificate | null>]>([
    ["the certificate is self-signed", async () => makeCertificate({ name: "127.0.0.1", ...valid })],
    [
      "the certificate's issuer is not known here, or was not sent with it",
      async () =>
        makeCertificate({ name: "127.0.0.1", issuer: makeCertificate({ name: "Stranger", ...valid }), ...valid }),
    ],
    [
      "the certificate has expired",
      async () => makeCertificate({ name: "127.0.0.1", issuer, validFrom: now - 2 * DAY, validUntil: now - DAY }),
    ],
    [
      "the certificate is not valid yet",
      async () => makeCertificate({ name: "127.0.0.1", issuer, validFrom: now + DAY, validUntil: now + 2 * DAY }),
    ],
    ["the certificate is for another name", async () => makeCertificate({ name: "example.com", issuer, ...valid })],
  ])("fails because %s", async (words, make) => {
    tls.setDefaultCACertificates([...trusted, issuer.cert]);
    const certificate = await make();
    if (!certificate) throw new Error("a certificate was expected");
    expect(await tried(certificate)).toMatchObject({ status: null, error: `TLS failed: ${words}`, lost: false });
  });

  it("fails where nobody speaks it", async () => {
    const server = net.createServer((socket) => {
      socket.on("error", () => undefined);
      socket.on("data", () => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"));
    });
    expect((await one(`https://127.0.0.1:${await listen(server)}/`)).error).toBe(
      "TLS failed: the receiver does not speak TLS at this port",
    );
  });

  it("fails where the receiver leaves in the middle of it", async () => {
    const port = await listen(net.createServer((socket) => socket.on("data", () => socket.destroy())));
    expect((await one(`https://127.0.0.1:${port}/`)).error).toBe(
      "TLS failed: the receiver closed the connection in the middle of the handshake",
    );
  });
});
