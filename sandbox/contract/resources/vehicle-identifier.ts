import type { Static } from "typebox";
import * as Type from "typebox";
import { Absent, OptionalNullable, Text } from "../schema.ts";

/**
 * Contract, "Vehicle identifier": exactly one of the two variants (D7). No call is refused for its sake: what is not
 * valid is handed back with a reason (D60, D61), so this says what to send and not what is taken.
 */
export const VehicleIdentifier = Type.Union([
  Type.Object({
    chassis_number: Text("VIN, or frame number for Japanese domestic vehicles (D60)"),
    region: Absent(),
    state: Absent(),
    plate: Absent(),
  }),
  Type.Object({
    region: Text("ISO 3166-1 alpha-2 country code; GB, AU and NZ are supported (D61)"),
    state: OptionalNullable(Text("State or province code; required for AU (D61)")),
    plate: Text("Registration mark, 1 to 10 characters"),
    chassis_number: Absent(),
  }),
]);
export type VehicleIdentifier = Static<typeof VehicleIdentifier>;
