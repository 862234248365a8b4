import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  australianStates,
  evaluateVehicleIdentifier,
  identifierKey,
  supportedRegions,
  type VehicleIdentifier,
} from "./vehicle-identifiers.ts";

const VIN = "JM0ER4A1200123456";
const evaluated = (input: unknown): VehicleIdentifier | undefined => {
  const result = evaluateVehicleIdentifier(input);
  return "identifier" in result ? result.identifier : undefined;
};
const reasonFor = (input: unknown): string | undefined => {
  const result = evaluateVehicleIdentifier(input);
  return "reason" in result ? result.reason : undefined;
};
const plate = (changes: object = {}): object => ({ region: "GB", state: null, plate: "AB12 CDE", ...changes });

describe("a chassis number", () => {
  it("D60: is 17 letters and digits without I, O and Q, in either case", () => {
    for (const good of [VIN, VIN.toLowerCase(), "11111111111111111", "ABCDEFGHJKLMNPRST"])
      expect(evaluated({ chassis_number: good })).toEqual({ kind: "chassis", chassis_number: good.toUpperCase() });
    for (const letter of "IOQioq")
      expect(reasonFor({ chassis_number: VIN.slice(1) + letter }), letter).toMatch(/I, O or Q/);
    for (const bad of ["", VIN.slice(1), `${VIN}1`, ` ${VIN}`, `${VIN}\n`, "JM0ER4A12 0123456", "ÄM0ER4A1200123456"])
      expect(reasonFor({ chassis_number: bad }), bad).toMatch(/^chassis_number must be 17 characters/);
  });

  it("D60: may be a Japanese frame number: letters or digits, a hyphen and digits, 6 to 17 in all", () => {
    for (const good of ["GRX133-6005678", "a-1234", "IOQ-12", "A123456789-123456", "1-23456"])
      expect(evaluated({ chassis_number: good })).toEqual({ kind: "chassis", chassis_number: good.toUpperCase() });
    for (const bad of [
      "A-123",
      "A1234567890-123456",
      "-123456",
      "GRX133-",
      "GRX-13-123456",
      "GRX133-600567B",
      "GRX 133-6005678",
      "GRX133–6005678",
    ])
      expect(evaluated({ chassis_number: bad }), bad).toBeUndefined();
    expect(reasonFor({ chassis_number: "GRX133-600567B" })).toMatch(/frame number/);
  });

  it("D60: contains only A to Z, no letters that merely upper-case to them", () => {
    // Upper case maps ß to SS, ſ to S and ı to I.
    for (const odd of ["JM0ER4A12001234ß", "JM0ER4A120012345ſ", "ı-12345", "ﬀ-12345"])
      expect(evaluated({ chassis_number: odd }), odd).toBeUndefined();
  });

  it("is a string", () => {
    for (const value of [null, 17, ["x"], {}, true])
      expect(reasonFor({ chassis_number: value })).toBe("chassis_number must be string");
  });
});

describe("a registration mark", () => {
  it("has 1 to 10 characters, unchanged", () => {
    for (const good of ["A", "AB12 CDE", "1234567890", "😀😀😀😀😀😀😀😀😀😀", "ab-12"])
      expect(evaluated(plate({ plate: good }))).toEqual({ kind: "plate", region: "GB", state: null, plate: good });
    expect(reasonFor(plate({ plate: "" }))).toMatch(/1 to 10 characters, it has 0/);
    expect(reasonFor(plate({ plate: "12345678901" }))).toMatch(/1 to 10 characters, it has 11/);
    for (const bad of [null, 7, ["A"]]) expect(reasonFor(plate({ plate: bad }))).toBe("plate must be string");
    expect(reasonFor({ region: "GB" })).toBe("plate is required");
  });

  it("D61: is looked up in GB, AU or NZ, in capitals exactly as listed", () => {
    expect(supportedRegions).toEqual(["GB", "AU", "NZ"]);
    for (const region of ["GB", "NZ"]) expect(evaluated(plate({ region }))).toMatchObject({ region });
    for (const region of ["gb", "UK", "US", "", " GB", null, 1, ["GB"]])
      expect(reasonFor(plate({ region })), String(region)).toBe("region must be one of GB, AU, NZ");
    expect(reasonFor({ plate: "A" })).toBe("region is required");
  });

  it("D61: needs a state in Australia", () => {
    expect(australianStates).toEqual(["ACT", "NSW", "NT", "QLD", "SA", "TAS", "VIC", "WA"]);
    for (const state of australianStates)
      expect(evaluated(plate({ region: "AU", state }))).toEqual({
        kind: "plate",
        region: "AU",
        state,
        plate: "AB12 CDE",
      });
    for (const state of [null, undefined])
      expect(reasonFor(plate({ region: "AU", state }))).toMatch(/^state is required for AU/);
    for (const state of ["nsw", "XYZ", ""])
      expect(reasonFor(plate({ region: "AU", state }))).toMatch(/^state must be one of ACT/);
  });

  it("D9, D61: has a state that is text, in every region", () => {
    for (const region of supportedRegions)
      for (const state of [1, 0, false, true, {}, ["NSW"]])
        expect(reasonFor(plate({ region, state })), `${region} ${state}`).toBe("state must be string");
    for (const region of ["GB", "NZ"])
      for (const state of ["\ud800", "a\u0000"])
        expect(reasonFor(plate({ region, state }))).toBe("state must be text without lone surrogates and U+0000");
  });

  it("D61: needs no state elsewhere, and ignores any text there", () => {
    for (const region of ["GB", "NZ"])
      for (const state of [undefined, null, "NSW", "anything", ""])
        expect(evaluated(plate({ region, state }))).toEqual({ kind: "plate", region, state: null, plate: "AB12 CDE" });
  });
});

describe("a vehicle identifier", () => {
  it("D7: is exactly one of the two", () => {
    for (const both of [
      { chassis_number: VIN, plate: "A" },
      { chassis_number: VIN, region: "GB" },
      { ...plate(), chassis_number: VIN },
      { chassis_number: VIN, state: null },
    ])
      expect(reasonFor(both)).toMatch(/not both$/);
    for (const neither of [{}, { vin: VIN }, JSON.parse(`{"__proto__":{"chassis_number":"${VIN}"}}`)])
      expect(reasonFor(neither)).toMatch(/^must have chassis_number, or region, state and plate/);
    expect(evaluated({ chassis_number: VIN, colour: "red" })).toBeDefined();
  });

  it("is an object; any other value gets a reason", () => {
    for (const value of [null, VIN, 7, [], [{ chassis_number: VIN }], true])
      expect(reasonFor(value)).toMatch(/^must be an object/);
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const result = evaluateVehicleIdentifier(value);
        expect("identifier" in result || result.reason.length > 0).toBe(true);
      }),
    );
  });

  it("D63: equals another that differs only in case", () => {
    const key = (input: unknown): string => {
      const identifier = evaluated(input);
      return identifier ? identifierKey(identifier) : "invalid";
    };
    expect(key({ chassis_number: VIN.toLowerCase() })).toBe(key({ chassis_number: VIN }));
    expect(key(plate({ plate: "ab12 cde" }))).toBe(key(plate()));
    expect(key(plate({ state: "NSW" }))).toBe(key(plate()));
    const different = [
      { chassis_number: VIN },
      plate(),
      plate({ region: "NZ" }),
      plate({ plate: "AB12CDE" }),
      plate({ region: "AU", state: "NSW" }),
      plate({ region: "AU", state: "VIC" }),
      plate({ plate: ":GB:" }),
    ];
    expect(new Set(different.map(key)).size).toBe(different.length);
  });
});
