import type { Policies } from "../../../../sandbox/contract/control/policies.ts";
import { RadioField } from "../../../components/choices.tsx";
import { Origin } from "../../../components/origin.tsx";
import type { IfExists } from "./job-draft.ts";

/** `if_`: what is to happen since the job exists, each choice with its meaning. */
export const IfExistsField = ({
  value,
  policy,
  onChange,
}: {
  value: IfExists;
  /** What this world does when `if_` is left out. */
  policy: Policies["jobs_insert_conflict"];
  onChange: (value: IfExists) => void;
}) => (
  <RadioField
    label="if_, exists"
    name="if-exists"
    value={value}
    onChange={onChange}
    options={[
      {
        value: "update",
        label: "update",
        hint: (
          <>
            Keys that are sent are written, an explicit null clears, keys left out keep their value{" "}
            <Origin of="assumption" id="D32" tight />
          </>
        ),
      },
      {
        value: "replace",
        label: "replace",
        hint: (
          <>
            Keys left out become null or empty; id, external_id and parts stay <Origin of="assumption" id="D33" tight />
          </>
        ),
      },
      {
        value: "none",
        label: "leave if_ out",
        hint: (
          <>
            {policy === "update" ? "This world takes it as update" : "This world refuses it, because the job exists"}:
            its switch <span className="m11">jobs_insert_conflict</span> is <span className="m11">{policy}</span>{" "}
            <Origin of="assumption" id="D30" tight switchable />
          </>
        ),
      },
    ]}
  />
);
