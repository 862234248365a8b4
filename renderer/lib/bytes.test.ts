import { expect, it } from "vitest";
import { bytesFromBase64, bytesFromText, glyphOf, rangeOfText, textFromBytes } from "./bytes.ts";

it("reads base64 to the very bytes", () => expect([...bytesFromBase64("AP9B")]).toEqual([0, 255, 65]));
it("finds text by its bytes, after characters of several", () =>
  expect(rangeOfText(bytesFromText("é:abc"), "abc")).toEqual({ start: 3, end: 6 }));
it("finds no empty and no absent text", () => {
  expect(rangeOfText(bytesFromText("abc"), "")).toBeNull();
  expect(rangeOfText(bytesFromText("abc"), "abd")).toBeNull();
});
it("shows what cannot be printed as a dot", () => expect([0x41, 0x0a, 0xff].map(glyphOf).join("")).toBe("A.."));
it("goes from text to bytes and back", () =>
  expect(textFromBytes(bytesFromText("plaque d’immatriculation"))).toBe("plaque d’immatriculation"));
