import { describe, expect, it } from "vitest";
import { ServiceFailure } from "../../../lib/service-failure.ts";
import { refusedAt } from "./refusal.tsx";

const job = { id: "adb34513-92dc-54b1-a36a-c579b413d06f" };

describe("a refusal", () => {
  const at = (code: string, message: string) => refusedAt(new ServiceFailure(422, code, message));

  it("belongs to the field its message names by path", () => {
    expect(at("unprocessable", "/vehicle/plate_number must be string or null").field).toBe("plate");
    expect(at("unprocessable", "/vehicle/chassis_number is required").field).toBe("chassis");
    expect(at("unprocessable", "/identity must have exactly one of id, external").field).toBe("external");
    expect(at("unprocessable", "/work_provider_contract names A, but /work_provider_id is B").field).toBe("providerId");
    expect(at("work_provider_not_found", "The work provider of a job insert does not exist.").field).toBe("providerId");
    expect(at("internal_error", "Something unexpected happened").field).toBeNull();
  });

  it("names the job that is in the way", () => {
    const taken = at(
      "unprocessable",
      `/job_number J-1 is taken at site 27dd09b9-f7a0-507e-99fd-e42e88e60a99 by job ${job.id}`,
    );
    expect([taken.field, taken.otherJob]).toEqual(["number", job.id]);
    expect(at("unprocessable", "/job_number must be string").otherJob).toBeNull();
  });
});
