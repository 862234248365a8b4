import { expect, it } from "vitest";
import { bytesFromBase64, bytesFromText, byteToGlyph, textFromBytes } from "./bytes.ts";

it("reads base64 exactly", () => expect([...bytesFromBase64("AP9B")]).toEqual([0, 255, 65]));
it("shows unprintable bytes as a dot", () => expect([0x41, 0x0a, 0xff].map(byteToGlyph).join("")).toBe("A.."));
it("converts text to bytes and back", () =>
  expect(textFromBytes(bytesFromText("plaque d’immatriculation"))).toBe("plaque d’immatriculation"));
