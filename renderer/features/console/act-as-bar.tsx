import { Box, Group, SegmentedControl, Text } from "@mantine/core";
import { IconAlertTriangle, IconCheck, IconLayoutNavbar } from "@tabler/icons-react";
import { useState } from "react";
import type { Credential } from "../../../sandbox/contract/control/rows.ts";
import { IconButton } from "../../components/button.tsx";
import { Icon } from "../../components/icon.tsx";
import { SelectField } from "../../components/select-field.tsx";
import { SideGlyph, sideClass } from "../../components/side.tsx";
import { TextAreaField } from "../../components/text-area-field.tsx";
import { credentialOptions } from "../../domain/credential/keys.ts";
import { type ActsAs, breakages, type ConsoleCall } from "../../domain/exchange/console-call.ts";
import type { Declared } from "../../domain/exchange/declarations.ts";
import { headerProblem, parseHeaders } from "../../domain/exchange/header-lines.ts";
import styles from "./console.module.css";
import { actorProblem, breakageLabels, defaultActor, outgoingCredential } from "./outgoing.ts";

interface ActAsProps {
  readonly declared: Declared;
  readonly call: ConsoleCall;
  readonly credentials: readonly Credential[];
  /** Custom headers as typed. */
  readonly headers: string;
  readonly onHeaders: (lines: string) => void;
  readonly onChange: (some: Partial<ConsoleCall>) => void;
}

const kinds = [
  { value: "credential", label: "Credential" },
  { value: "none", label: "None" },
  { value: "broken", label: "Invalid" },
] as const;

const hidden = (words: string) => <span className="sr">{words}</span>;

const ScopeVerdict = ({ problem }: { problem: ReturnType<typeof actorProblem> }) =>
  problem === null ? (
    <span className="st ok">
      <Icon of={IconCheck} />
      Scope OK
    </span>
  ) : (
    <span className="st wait">
      <Icon of={IconAlertTriangle} />
      {problem.words}: {problem.status}
    </span>
  );

const Actor = ({ declared, call, credentials, onChange }: ActAsProps) => {
  const { actAs } = call;
  const credential = outgoingCredential(actAs, declared, credentials);
  const become = (next: ActsAs) => onChange({ actAs: next });
  const chooseKind = (kind: ActsAs["kind"]) => {
    if (kind === "credential") become(defaultActor(declared, credentials));
    else become(kind === "none" ? { kind } : { kind, how: "bare" });
  };
  const ways = breakages.filter((how) => how !== "wrong-scope" || declared.scope !== "either");
  return (
    <>
      <Box c="secondary" component="span" fw={500} fz={12} lh="16px">
        Send as
      </Box>
      <SegmentedControl aria-label="Send as" data={[...kinds]} value={actAs.kind} onChange={chooseKind} />
      {actAs.kind !== "none" && credential && <SideGlyph side={credential.scope} labelled />}
      <Box flex={actAs.kind === "none" ? undefined : "1 1 180px"} maw={320}>
        {actAs.kind === "credential" && (
          <SelectField
            label={hidden("Credential")}
            value={actAs.integration_id}
            options={credentialOptions(credentials.filter(({ api_key }) => api_key !== undefined))}
            onChange={(integration_id) => integration_id !== null && become({ kind: "credential", integration_id })}
          />
        )}
        {actAs.kind === "broken" && (
          <SelectField
            label={hidden("Invalid credential")}
            value={actAs.how}
            options={ways.map((value) => ({ value, label: breakageLabels[value] }))}
            onChange={(how) => how !== null && become({ kind: "broken", how })}
          />
        )}
      </Box>
      <ScopeVerdict problem={actorProblem(actAs, declared, credential)} />
    </>
  );
};

/** Headers besides the Console's own. */
const OwnHeaders = ({ headers: lines, onHeaders, onChange }: ActAsProps) => (
  <Box className="hb" p="10px 16px" bg="var(--canvas)">
    <TextAreaField
      label="Custom headers"
      mono
      rows={2}
      value={lines}
      hint="One per line. x-sandbox-tenant chooses another world. The browser sets Host and Content-Length."
      error={headerProblem(lines)}
      onChange={(text) => {
        onHeaders(text);
        onChange({ headers: parseHeaders(text) });
      }}
    />
  </Box>
);

/** Selects the caller, in the side's colour; control operations always take the control token. */
export const ActAsBar = (props: ActAsProps) => {
  const { declared, call, credentials } = props;
  const [opened, setOpened] = useState(call.headers.length > 0);
  if (declared.scope === "control")
    return (
      <div className={styles.bar}>
        <Text variant="note">Sent with this window’s control token.</Text>
      </div>
    );
  const side = outgoingCredential(call.actAs, declared, credentials)?.scope;
  return (
    <>
      <Group wrap="wrap" className={`${styles.bar} ${side ? sideClass(side) : ""}`} role="group" aria-label="As whom">
        {declared.scope === "none" ? <Text variant="note">Takes no credential.</Text> : <Actor {...props} />}
        <Box component="span" flex={1} />
        <IconButton
          small
          icon={IconLayoutNavbar}
          label="Custom headers"
          aria-expanded={opened}
          onClick={() => setOpened(!opened)}
        />
      </Group>
      {opened && <OwnHeaders {...props} />}
    </>
  );
};
