import type { ReactNode } from "react";
import type { JobRow } from "../../../../sandbox/contract/control/rows.ts";
import type { Job } from "../../../../sandbox/contract/resources/job.ts";
import { Id } from "../../../components/id.tsx";
import { KeyValue } from "../../../components/key-value.tsx";
import { Origin } from "../../../components/origin.tsx";
import { Plate } from "../../../components/plate.tsx";
import { Section } from "../../../components/section.tsx";
import { Time } from "../../../components/time.tsx";

const isNull = <span className="t3 m11">null</span>;

/** A field's value, and in smaller words what the contract or a decision says of it. */
const Field = ({ children, says }: { children: ReactNode; says?: ReactNode }) => (
  <span className="jobs-field">
    <span>{children}</span>
    {says && <span className="t11 t3">{says}</span>}
  </span>
);

const text = (value: string | null) => (value === null ? isNull : <span className="m wrapany">{value}</span>);

/** The job's fields by the names the contract gives them. Without the repairer's key, as far as the sandbox's list knows them. */
export const JobFields = ({ row, job }: { row: JobRow; job: Job | null }) => {
  const vehicle = job === null || job.vehicle !== null;
  return (
    <div>
      <Section
        ruled={false}
        title="Job"
        note={job ? "as repairer.jobs.get answers" : "as the sandbox’s own list has it"}
      >
        <div className="jobs-pad">
          <KeyValue
            rows={[
              [
                "job_number",
                <Field
                  key="n"
                  says={
                    <>
                      unique per site <Origin of="contract" />
                    </>
                  }
                >
                  {text(row.job_number)}
                </Field>,
              ],
              [
                "repairer_site_id",
                <Field key="s" says={row.site.name}>
                  <Id value={row.site.id} what="site id" />
                </Field>,
              ],
              [
                "work_provider_id",
                <Field
                  key="w"
                  says={
                    row.work_provider?.name ?? (
                      <>
                        no insurer has access <Origin of="contract" />
                      </>
                    )
                  }
                >
                  {row.work_provider ? <Id value={row.work_provider.id} what="work provider id" /> : isNull}
                </Field>,
              ],
              ["claim_number", <Field key="c">{text(row.claim_number)}</Field>],
              [
                "external_id",
                <Field key="x" says="the integration’s own; it stays">
                  {text(row.external_id)}
                </Field>,
              ],
              [
                "id",
                <Field key="i" says="assigned by the service">
                  <Id value={row.id} what="job id" />
                </Field>,
              ],
            ]}
          />
        </div>
      </Section>
      <Section title="Vehicle" note={vehicle ? undefined : "null: nothing is known of it"}>
        <div className="jobs-pad">
          {vehicle ? (
            <KeyValue
              rows={[
                ["plate_number", row.plate_number === null ? isNull : <Plate key="p" plate={row.plate_number} />],
                ["plate_state", text(row.plate_state)],
                ["chassis_number", text(row.chassis_number)],
              ]}
            />
          ) : null}
        </div>
      </Section>
      <Section title="In the sandbox" note="not part of the contract’s answer">
        <div className="jobs-pad">
          <KeyValue
            rows={[
              ["created", <Time key="c" at={row.created_at} />],
              ["last changed", <Time key="u" at={row.updated_at} />],
            ]}
          />
        </div>
      </Section>
    </div>
  );
};
