import { PasswordInput } from "@mantine/core";
import { IconEraser } from "@tabler/icons-react";
import { SIGNATURE_HEADER } from "../../../../sandbox/contract/signature.ts";
import { useCredentials } from "../../../app/acting.ts";
import { usePageTitle } from "../../../app/titles.ts";
import { IconButton } from "../../../components/button.tsx";
import { TextField } from "../../../components/fields.tsx";
import { Origin } from "../../../components/origin.tsx";
import { SelectField } from "../../../components/select-field.tsx";
import { sideWord } from "../../../components/side.tsx";
import { Segmented } from "../../../components/tabs.tsx";
import { TextAreaField } from "../../../components/text-area-field.tsx";
import { formatBytes, maskSecret } from "../../../lib/formatting.ts";
import { Panes } from "../parts.tsx";
import { type Analysis, useAnalysis } from "./analysis.ts";
import styles from "./lab.module.css";
import { LabResult } from "./lab-result.tsx";
import { changeLab, clearLab, isKept, type Pasted, useLab, withBody, withHeader } from "./lab-store.ts";

/** A secret while it is typed: masked until it is asked for. */
const SecretField = ({ value, onChange }: { value: string; onChange: (value: string) => void }) => (
  <PasswordInput
    label="Secret"
    size="sm"
    value={value}
    onChange={(event) => onChange(event.currentTarget.value)}
    placeholder="pwh_…"
    autoComplete="off"
    spellCheck={false}
    visibilityToggleButtonProps={{ "aria-label": "Show the secret", tabIndex: 0 }}
    className="is-mono"
  />
);

const codings = [
  { value: "text", label: "Text" },
  { value: "base64", label: "Base64" },
  { value: "hex", label: "Hex" },
] as const;

/** A longer text is shown by its beginning: every change would lay out all of it. */
const MOST_EDITED = 65_536;

/** What a receiver had in hand: body, header, secret and the moment. */
const LabForm = ({ pasted, analysis }: { pasted: Pasted; analysis: Analysis }) => {
  const changeBody = (body: string) => changeLab(withBody(pasted, body));
  const long = pasted.body.length > MOST_EDITED;
  const { data: credentials = [] } = useCredentials();
  const secrets = [
    { value: "body", label: "The integration the body names" },
    ...credentials.map(({ integration_id, organization_name, scope, webhook_secret }) => ({
      value: integration_id,
      label: `${sideWord(scope)}: ${organization_name}, ${webhook_secret ? maskSecret(webhook_secret) : "no secret"}`,
    })),
    { value: "pasted", label: "Another secret" },
  ];
  return (
    <div className={`stack row-3 grow scroll ${styles.form}`}>
      <div className="row">
        <h2 className="h2">What arrived</h2>
        <span className="grow" />
        <IconButton small icon={IconEraser} label="Empty the lab" onClick={clearLab} />
      </div>
      {pasted.from !== null && <p className="t12 t3">Taken from {pasted.from}</p>}
      <div
        className={`stack row-1 ${styles.body}`}
        onPaste={(event) => {
          const text = event.clipboardData.getData("text");
          if (!long && text.length <= MOST_EDITED) return;
          // The field itself would take it in at its own pace.
          event.preventDefault();
          changeBody(text);
        }}
      >
        <div className="row">
          <span className="field-label" aria-hidden="true">
            Body
          </span>
          <span className="t11 t3">{analysis.body === null ? "" : formatBytes(analysis.body.length)}</span>
          <span className="grow" />
          <Segmented
            label="The body was pasted as"
            options={codings}
            value={pasted.coding}
            onChange={(coding) => changeLab({ coding })}
          />
        </div>
        <TextAreaField
          label={<span className="sr">Body</span>}
          mono
          rows={pasted.body === "" ? 2 : 10}
          value={long ? pasted.body.slice(0, MOST_EDITED) : pasted.body}
          readOnly={long}
          onChange={changeBody}
          placeholder="The raw body, exactly as it arrived"
          hint={
            long
              ? `Its beginning, to be read; all of it is judged. Paste another over it, or empty the lab.${isKept(pasted) ? "" : " It is too large to be kept over a reload of the window."}`
              : pasted.coding === "text"
                ? "Text may lose blanks and line breaks on its way; base64 keeps every byte."
                : ""
          }
          error={
            analysis.body === null
              ? `This is not ${pasted.coding === "hex" ? "hex" : "base64"}. Say what the body was pasted as.`
              : null
          }
        />
      </div>
      <TextAreaField
        label={<span className="m11">{SIGNATURE_HEADER}</span>}
        mono
        rows={2}
        value={pasted.header}
        onChange={(header) => changeLab(withHeader(pasted, header))}
        placeholder="Its value, or all headers as they came"
      />
      <SelectField
        label="Secret of"
        value={secrets.some(({ value }) => value === pasted.secretOf) ? pasted.secretOf : "body"}
        options={secrets}
        onChange={(secretOf) => secretOf && changeLab({ secretOf })}
        error={pasted.body === "" || pasted.secretOf === "pasted" ? null : analysis.noSecret}
      />
      {pasted.secretOf === "pasted" && (
        <SecretField value={pasted.secret} onChange={(secret) => changeLab({ secret })} />
      )}
      <TextAreaField
        label="What your receiver computed"
        mono
        rows={2}
        value={pasted.theirs}
        onChange={(theirs) => changeLab({ theirs })}
        placeholder="Base64 or hex, as in the receiver’s log"
        hint="For a receiver that refuses what is verified here: it says why."
      />
      <TextField
        label="Verification time"
        mono
        value={pasted.at}
        onChange={(at) => changeLab({ at })}
        placeholder="now"
        hint="The receiver’s clock, for example 2026-03-11T22:05:07Z; empty is now."
        error={analysis.now === null ? "Not a time with a zone: it ends in Z or in an offset such as +02:00." : null}
      />
      <p className="t11 t3">
        Everything is computed in this page; a secret that is pasted is not even kept over a reload.{" "}
        <Origin of="extension" />
      </p>
    </div>
  );
};

/** `/webhooks/lab`: what was pasted left, what is wrong with it right. Nothing of it leaves the page. */
export const LabPage = () => {
  const pasted = useLab();
  const analysis = useAnalysis(pasted);
  usePageTitle("Signature lab", "Webhooks");
  return (
    <Panes
      label="What arrived"
      list={<LabForm pasted={pasted} analysis={analysis} />}
      detail={<LabResult pasted={pasted} analysis={analysis} />}
    />
  );
};
