// @vitest-environment jsdom
import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { KeyedCredential } from "../../../kernel/credentials/acting.ts";
import { ServiceFailure } from "../../../lib/service-failure.ts";
import { takeToken } from "../../../lib/session.ts";
import { show } from "../../../testing/shown.tsx";
import { JobForm } from "./job-form.tsx";
import { locateRefusal } from "./refusal.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const job = { id: "adb34513-92dc-54b1-a36a-c579b413d06f" };

describe("a refusal", () => {
  const at = (code: string, message: string) => locateRefusal(new ServiceFailure(422, code, message));

  it("belongs to the field that its message names", () => {
    expect(at("unprocessable", "/vehicle/plate_number must be string or null").field).toBe("plate");
    expect(at("unprocessable", "/vehicle/chassis_number is required").field).toBe("chassis");
    expect(at("unprocessable", "/identity must have exactly one of id, external").field).toBe("external");
    expect(at("unprocessable", "/work_provider_contract names A, but /work_provider_id is B").field).toBe("providerId");
    expect(at("work_provider_not_found", "The work provider of a job insert does not exist.").field).toBe("providerId");
    expect(at("internal_error", "Something unexpected happened").field).toBeNull();
  });

  it("names the conflicting job", () => {
    const taken = at(
      "unprocessable",
      `/job_number J-1 is taken at site 27dd09b9-f7a0-507e-99fd-e42e88e60a99 by job ${job.id}`,
    );
    expect([taken.field, taken.otherJob]).toEqual(["number", job.id]);
    expect(at("unprocessable", "/job_number must be string").otherJob).toBeNull();
  });
});

describe("a refused change", () => {
  const exists = `/identity names job ${job.id}, which exists already; send if_: {exists: "update"} or {exists: "replace"}`;
  const sent = async (own: string | null) => {
    takeToken("the token of a test");
    vi.stubGlobal("fetch", async () => Response.json({ type: "unprocessable", message: exists }, { status: 422 }));
    const nothing = () => undefined;
    show(
      <JobForm
        {...{ title: "Edit job", button: "Update job", own, onSent: nothing, onClose: nothing, onUpdate: nothing }}
        credential={{ api_key: "k", integration_id: "i" } as KeyedCredential}
        body={{ identity: { id: job.id }, repairer_site_id: "s" }}
        draftState={{ isContinued: false, startOver: nothing, forget: nothing }}
      >
        {(errorAt) => <p>{errorAt("external") ?? "no field is marked"}</p>}
      </JobForm>,
    );
    fireEvent.click(screen.getByRole("button", { name: /^Update job/ }));
    return screen.findByRole("alert");
  };

  it("says why beside its button, and marks no field that can’t be edited", async () => {
    const said = await sent(job.id);
    expect(said.textContent).toContain(exists);
    expect(said.closest(".dialog-foot")).not.toBeNull();
    screen.getByText("no field is marked");
    expect(screen.queryByText("Open that job")).toBeNull();
  });

  it("leads from a new job to the one with its identity", async () => {
    const said = await sent(null);
    expect(said.textContent).toContain("Fix the marked field");
    for (const way of ["Open that job", "Update that job instead"]) screen.getByText(way);
  });
});
