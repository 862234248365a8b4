import { expect, it } from "vitest";
import { bytesFromBase64, bytesFromText, byteToGlyph, textFromBytes } from "./bytes.ts";

it("reads base64 to the very bytes", () => expect([...bytesFromBase64("AP9B")]).toEqual([0, 255, 65]));
it("shows what cannot be printed as a dot", () => expect([0x41, 0x0a, 0xff].map(byteToGlyph).join("")).toBe("A.."));
it("goes from text to bytes and back", () =>
  expect(textFromBytes(bytesFromText("plaque d’immatriculation"))).toBe("plaque d’immatriculation"));
