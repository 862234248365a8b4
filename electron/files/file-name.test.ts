import { describe, expect, test } from "vitest";
import { fileName } from "./file-name.ts";

describe("the suggested file name", () => {
  test.each([
    ["delivery-0b0e5a4c.json", "delivery-0b0e5a4c.json"],
    ["Stoßstange vorn.har", "Stoßstange vorn.har"],
    ["../../.ssh/authorized_keys", "ssh-authorized_keys"],
    ["C:\\Windows\\system.ini", "C-Windows-system.ini"],
    [".bashrc", "bashrc"],
    ["a\u0000b\n.json", "a-b-.json"],
    ["invoice\u202Egpj.exe", "invoice-gpj.exe"],
    ["CON", "_CON"],
    ["nul.json", "_nul.json"],
    ["name. ", "name"],
    ["", "file"],
    ["../..", "file"],
  ])("%j becomes %j", (suggested, name) => {
    expect(fileName(suggested)).toBe(name);
  });

  test("fits every file system and keeps its extension", () => {
    expect(fileName(`${"é".repeat(500)}.json`)).toBe(`${"é".repeat(120)}.json`);
  });
});
