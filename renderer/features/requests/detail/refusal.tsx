import { Box, Group, SegmentedControl, Stack, Text } from "@mantine/core";
import { IconHandStop, IconWand } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { RequestDetail } from "../../../../sandbox/contract/control/rows.ts";
import { Button } from "../../../components/button.tsx";
import { CopyButton } from "../../../components/copy-button.tsx";
import { HttpStatus } from "../../../components/http-status.tsx";
import { Icon } from "../../../components/icon.tsx";
import { KeyValue } from "../../../components/key-value.tsx";
import { TextLink } from "../../../components/link.tsx";
import { Sentence } from "../../../components/sentence.tsx";
import { SideGlyph } from "../../../components/side.tsx";
import { Origin } from "../../../domain/decision/origin.tsx";
import { correctedText } from "../../../domain/exchange/corrected-text.ts";
import { useCallerName } from "../../../domain/exchange/exchange.tsx";
import type { Explanation, Refusal } from "../../../domain/exchange/explanation.ts";
import { choiceTexts, editText } from "../../../domain/share/edit-words.ts";
import { refusalMessage, verdictText } from "../../../domain/trace/verdict.ts";
import { useSetPolicies, wordsFor } from "../../../domain/world/switches.ts";
import { hrefs } from "../../../kernel/addresses/hrefs.ts";
import { errorMeaning } from "../../../lib/service-failure.ts";
import { hasScope } from "../../../lib/world-access.ts";
import { Suggestions } from "../acting/correction.tsx";

const Decision = ({ decision: { id, meaning, policy } }: { decision: Refusal["decisions"][number] }) => {
  const set = useSetPolicies();
  return (
    <Group align="baseline">
      <Origin of="assumption" id={id} switchable={policy !== null} />
      <Stack gap="xs" flex={1} miw={0}>
        <Text variant="note">
          <Sentence text={meaning} />
        </Text>
        {policy && (
          <Group component="span" gap="xs" wrap="wrap">
            <Text variant="aside">
              Setting in this world: <Text variant="mono">{policy.name}</Text>
            </Text>
            <SegmentedControl
              aria-label={`${policy.name} in this world`}
              data={policy.choices.map((value) => ({ value, label: wordsFor(policy.name, value) }))}
              value={policy.value}
              disabled={!hasScope("manage")}
              onChange={(value) => set.mutate({ [policy.name]: value })}
            />
          </Group>
        )}
      </Stack>
    </Group>
  );
};

/** The contract's statement and, separately, the assumptions, those with a setting first. */
const ByTheContract = ({ section, decisions }: Pick<Refusal, "section" | "decisions">) => {
  if (section === null && decisions.length === 0) return null;
  const ordered = decisions.toSorted((one, other) => Number(one.policy === null) - Number(other.policy === null));
  return (
    <Stack className="hb" component="section" gap="sm" py={10} px="lg" aria-label="Contract and assumptions">
      <Text component="p" variant="note">
        {section === null ? (
          "The contract doesn’t define this."
        ) : (
          <>
            <Origin of="contract" /> See section “{section}”.
          </>
        )}
        {decisions.length > 0 && " These assumptions apply:"}
      </Text>
      {ordered.map((decision) => (
        <Decision key={decision.id} decision={decision} />
      ))}
    </Stack>
  );
};

/** A fault may return a code of its own, which the help doesn't know. */
const helpOf = (code: string, { cause, whose_side }: Refusal): string => {
  if (whose_side !== "fault" || cause !== "fault") return hrefs.helpOfError(code, cause);
  return errorMeaning(code) === null ? hrefs.helpOfFaults : hrefs.helpOfError(code, null);
};

const CauseSide = ({
  detail,
  refusal,
  checks,
}: {
  detail: RequestDetail;
  refusal: Refusal;
  checks: Explanation["checks"];
}) => {
  const who = useCallerName();
  const { whose_side: whose, cause } = refusal;
  if (whose === "fault")
    return cause === "fault"
      ? "Neither side. A fault or a test value caused this response."
      : "Neither side. A fault or a test value led to this response.";
  if (whose === "sandbox") return "The sandbox.";
  if (detail.integration_id === null) {
    // An operation without credentials requires no proof.
    const isUnproven = checks.some(({ check, verdict }) => check === "credentials" && verdict === "refused");
    return `The caller${isUnproven ? " (not identified by the call)" : ""}. Nothing was changed.`;
  }
  return (
    <>
      The caller, <SideGlyph side={detail.side} labelled /> {who(detail)}. Nothing was changed.
    </>
  );
};

/** The refusal as text for readers without an explorer, with secrets masked. */
const partnerText = (detail: RequestDetail, explanation: Explanation): string => {
  const { refusal, correction, nearest, suggestions, notes = [] } = explanation;
  if (refusal === null) return "";
  return [
    verdictText(detail, refusal),
    ...notes,
    ...(nearest?.addresses.length ? [`Did you mean: ${nearest.addresses.join(", ")}`] : []),
    ...(suggestions.length > 0 ? [`Known values for ${suggestions[0]?.pointer}:`, ...choiceTexts(explanation)] : []),
    ...(correction
      ? [
          "Proposed correction:",
          ...correction.edits.map((edit) => editText(edit, refusal.what_to_do)),
          `Corrected body:\n${correctedText(detail.request_body, correction)}`,
        ]
      : []),
  ].join("\n");
};

/** The reason for a refusal or failure: cause, responsible side, fix; then the contract's statement. */
export const RefusalBox = ({
  detail,
  explanation,
  actions,
  onFix,
}: {
  detail: RequestDetail;
  explanation: Explanation;
  actions: ReactNode;
  onFix: () => void;
}) => {
  const { refusal, correction, nearest, notes } = explanation;
  if (refusal === null) return null;
  const message = refusalMessage(detail, refusal.sentence);
  const otherJob = / by job ([0-9a-f-]{36})\.?$/.exec(message ?? "")?.[1];
  return (
    <>
      <Stack
        component="section"
        className="toned bad hb"
        gap={10}
        flex="none"
        py="md"
        px="lg"
        aria-label="Why it was refused"
      >
        <Text component="h3" size="lg" fw={600} style={{ overflowWrap: "anywhere" }}>
          <Icon of={IconHandStop} size={16} /> <Sentence text={refusal.sentence} />
        </Text>
        <KeyValue
          rows={[
            [
              "Response",
              <Group key="answered" component="span" gap="xs" wrap="wrap">
                <HttpStatus status={refusal.status} />
                {refusal.code !== null && (
                  <Text
                    component="a"
                    variant="mono"
                    textWrap="nowrap"
                    className="lnk"
                    href={helpOf(refusal.code, refusal)}
                    target="_blank"
                    rel="noopener"
                    title="Help on this error, in a new tab"
                  >
                    {refusal.code}
                  </Text>
                )}
                {message !== null && <Text variant="note">{message}</Text>}
                {otherJob !== undefined && <TextLink href={hrefs.job(otherJob)}>Open that job</TextLink>}
              </Group>,
            ],
            ["Whose side", <CauseSide key="whose" detail={detail} refusal={refusal} checks={explanation.checks} />],
            ["What to do", <Sentence key="do" text={refusal.what_to_do} />],
            refusal.earlier !== undefined && [
              "Earlier call",
              <TextLink key="earlier" href={hrefs.request(refusal.earlier)}>
                Open the call that named the job before
              </TextLink>,
            ],
            notes !== undefined && ["Ignored", notes.join(" ")],
            explanation.suggestions.length > 0 && ["Known values", <Suggestions key="values" {...explanation} />],
            nearest && nearest.addresses.length > 0 ? ["Did you mean", nearest.addresses.join(", ")] : null,
            nearest?.method ? ["Method", nearest.method] : null,
          ]}
        />
        <Group gap={6} wrap="wrap">
          {correction && (
            <Button small needs="act" look="primary" icon={IconWand} onClick={onFix}>
              Fix in editor
            </Button>
          )}
          {actions}
          <Box component="span" flex={1} />
          <CopyButton text={partnerText(detail, explanation)} what="this for your partner" label="Copy for partner" />
        </Group>
      </Stack>
      <ByTheContract section={refusal.section} decisions={refusal.decisions} />
    </>
  );
};
