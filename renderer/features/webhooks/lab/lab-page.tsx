import { Box, Group, PasswordInput, SegmentedControl, Stack, Text } from "@mantine/core";
import { IconEraser } from "@tabler/icons-react";
import { maskSecret } from "../../../../sandbox/contract/known-secrets.ts";
import { SIGNATURE_HEADER } from "../../../../sandbox/contract/signature.ts";
import { IconButton } from "../../../components/button.tsx";
import { TextField } from "../../../components/fields.tsx";
import { SelectField } from "../../../components/select-field.tsx";
import { sideWord } from "../../../components/side.tsx";
import { TextAreaField } from "../../../components/text-area-field.tsx";
import { Origin } from "../../../domain/decision/origin.tsx";
import { useCredentials } from "../../../kernel/credentials/acting.ts";
import { usePageTitle } from "../../../kernel/place/titles.ts";
import { type Analysis, useAnalysis } from "./analysis.ts";
import styles from "./lab.module.css";
import { LabResult } from "./lab-result.tsx";
import { changeLab, clearLab, type Pasted, useLab } from "./lab-store.ts";

const codings = [
  { value: "text", label: "Text" },
  { value: "base64", label: "Base64" },
] as const;

/** A receiver's inputs: body, header, secret and time. */
const LabForm = ({ pasted, analysis }: { pasted: Pasted; analysis: Analysis }) => {
  const { data: credentials = [] } = useCredentials();
  const secrets = [
    { value: "body", label: "Integration named in the body" },
    ...credentials.map(({ integration_id, organization_name, scope, webhook_secret }) => ({
      value: integration_id,
      label: `${sideWord(scope)}: ${organization_name}, ${webhook_secret ? maskSecret(webhook_secret) : "no secret"}`,
    })),
    { value: "pasted", label: "Another secret" },
  ];
  return (
    <Stack
      component="section"
      gap="md"
      className="scroll"
      pt="sm"
      pr="md"
      pb={20}
      pl="lg"
      aria-label="Received notification"
    >
      <Group>
        <h2 className="h2">Received notification</h2>
        <Box flex={1} />
        <SegmentedControl
          aria-label="Body encoding"
          data={[...codings]}
          value={pasted.coding}
          onChange={(coding) => changeLab({ coding })}
        />
        <IconButton small icon={IconEraser} label="Clear the lab" onClick={clearLab} />
      </Group>
      {pasted.from !== null && <Text variant="aside">Loaded from {pasted.from}</Text>}
      <TextAreaField
        label="Body"
        mono
        rows={pasted.body === "" ? 2 : 10}
        value={pasted.body}
        onChange={(body) => changeLab({ body })}
        placeholder="The raw body, exactly as it arrived"
        hint={
          pasted.coding === "text"
            ? "Text may lose spaces and line breaks when you copy it. Base64 keeps every byte."
            : ""
        }
        error={analysis.body === null ? "This isn’t base64. Choose Text, or paste it again." : null}
      />
      <TextAreaField
        label={<Text variant="mono">{SIGNATURE_HEADER}</Text>}
        mono
        rows={2}
        value={pasted.header}
        onChange={(header) => changeLab({ header })}
        placeholder="The header’s value, or all headers"
      />
      <SelectField
        label="Secret of"
        value={secrets.some(({ value }) => value === pasted.secretOf) ? pasted.secretOf : "body"}
        options={secrets}
        onChange={(secretOf) => secretOf && changeLab({ secretOf })}
        error={pasted.body === "" || pasted.secretOf === "pasted" ? null : analysis.noSecret}
      />
      {pasted.secretOf === "pasted" && (
        <PasswordInput
          label="Secret"
          size="sm"
          value={pasted.secret}
          onChange={(event) => changeLab({ secret: event.currentTarget.value })}
          placeholder="pwh_…"
          autoComplete="off"
          spellCheck={false}
          visibilityToggleButtonProps={{ "aria-label": "Show the secret", tabIndex: 0 }}
          className="is-mono"
        />
      )}
      <TextField
        label="Verification time"
        mono
        value={pasted.at}
        onChange={(at) => changeLab({ at })}
        placeholder="now"
        hint="The receiver’s clock, for example 2026-03-11T22:05:07Z. Leave empty for now."
        error={analysis.now === null ? "Not a time with a zone. End it with Z or an offset such as +02:00." : null}
      />
      <Text component="p" size="xs" c="dimmed">
        Signatures are computed in this page. Only the message_id is sent to the service, to find what was sent. A
        pasted secret isn’t kept after a reload. <Origin of="extension" />
      </Text>
    </Stack>
  );
};

/** `/webhooks/lab`: pasted values on the left, problems on the right. Only the message_id leaves the page. */
export const LabPage = () => {
  const pasted = useLab();
  const analysis = useAnalysis(pasted);
  usePageTitle("Signature lab", "Webhooks");
  return (
    <Stack gap={0} flex={1} mih={0} style={{ containerType: "inline-size" }}>
      <div className={styles.lab}>
        <LabForm pasted={pasted} analysis={analysis} />
        <LabResult pasted={pasted} analysis={analysis} />
      </div>
    </Stack>
  );
};
