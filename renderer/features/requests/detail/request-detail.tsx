import { Box, Group, Menu, Stack, Tabs, Text } from "@mantine/core";
import {
  IconAlertTriangle,
  IconCode,
  IconMailOff,
  IconPencil,
  IconPlayerRecord,
  IconRotateClockwise,
} from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useLocation } from "wouter";
import type { RequestDetail as Call } from "../../../../sandbox/contract/control/rows.ts";
import { Button, IconButton } from "../../../components/button.tsx";
import { CountedTabs, Detail } from "../../../components/detail.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import { HttpStatus } from "../../../components/http-status.tsx";
import { Icon } from "../../../components/icon.tsx";
import { Id } from "../../../components/id.tsx";
import { KeyValue } from "../../../components/key-value.tsx";
import { Missing, Read } from "../../../components/read.tsx";
import { Sentence } from "../../../components/sentence.tsx";
import { SideGlyph } from "../../../components/side.tsx";
import { Time } from "../../../components/time.tsx";
import { useKeys } from "../../../components/use-keys.ts";
import { Origin } from "../../../domain/decision/origin.tsx";
import type { CopiedRequest } from "../../../domain/exchange/curl.ts";
import { useCallerName } from "../../../domain/exchange/exchange.tsx";
import type { Correction, Explanation } from "../../../domain/exchange/explanation.ts";
import { shownFacts } from "../../../domain/exchange/fields.tsx";
import { OperationName } from "../../../domain/exchange/operation.tsx";
import { callTitle } from "../../../domain/exchange/operation-words.ts";
import { exchangeQuery } from "../../../domain/exchange/queries.ts";
import { programs } from "../../../domain/exchange/snippets.ts";
import { Touched } from "../../../domain/exchange/touched.tsx";
import { RecordDialog } from "../../../domain/scenario/record-dialog.tsx";
import { ShareMenu } from "../../../domain/share/share-menu.tsx";
import { explanationQuery, traceQuery } from "../../../domain/trace/queries.ts";
import { Changes, EventsAndDeliveries } from "../../../domain/trace/trace-parts.tsx";
import { BranchButton } from "../../../domain/world/branch.tsx";
import { CopyLink } from "../../../kernel/addresses/copy-link.tsx";
import { hrefs } from "../../../kernel/addresses/hrefs.ts";
import { copyOrNotify } from "../../../kernel/notices/copy-text.ts";
import { usePageTitle } from "../../../kernel/place/titles.ts";
import { useWorld } from "../../../kernel/world/world.ts";
import { formatBytes, plural } from "../../../lib/formatting.ts";
import { worldAccess } from "../../../lib/world-access.ts";
import { CorrectionNote } from "../acting/correction.tsx";
import { replayProblem } from "../acting/replayable.ts";
import { useSendAgain } from "../acting/send-again.ts";
import { SendForm } from "../acting/send-form.tsx";
import { compareHref, type DetailTab, useRequestPageParams } from "../addresses.ts";
import { Around } from "./around.tsx";
import { RecordedResponse, RequestBody, RequestHeaders } from "./body-panes.tsx";
import { Checks } from "./checks.tsx";
import { CompareTab } from "./compare-tab.tsx";
import { RefusalBox } from "./refusal.tsx";
import { TraceAxis } from "./trace-axis.tsx";

/** Copies a call as code; it reads the masked key from the environment. */
const CopyAsItems = ({ call }: { call: CopiedRequest }) => (
  <>
    <Menu.Label>As code (reads the key from API_KEY)</Menu.Label>
    {programs.map(({ name, of, what }) => (
      <Menu.Item key={name} onClick={() => void copyOrNotify(of(call, window.location.origin), what)}>
        {name}
      </Menu.Item>
    ))}
  </>
);

const Actions = ({ detail, onEdit }: { detail: Call; onEdit: () => void }) => {
  const replay = useSendAgain(detail);
  const problem = replayProblem(detail);
  const [canReplay, canEdit] = [problem === null, problem?.isEditable !== false];
  const send = () => !replay.isPending && replay.mutate({});
  useKeys("Requests", [
    { keys: ["r"], label: "Replay call", acts: true, enabled: canReplay, run: send },
    { keys: ["e"], label: "Edit and send call", needs: "act", enabled: canEdit, run: onEdit },
  ]);
  return (
    <>
      <Button
        small
        icon={IconRotateClockwise}
        keys="r"
        acts
        busy={replay.isPending}
        disabled={!canReplay}
        onClick={send}
      >
        Replay
      </Button>
      <Button small needs="act" icon={IconPencil} keys="e" disabled={!canEdit} onClick={onEdit}>
        Edit and send
      </Button>
      <Menu position="bottom-start" width={260}>
        <Menu.Target>
          <Button small icon={IconCode}>
            Copy as
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <CopyAsItems call={detail} />
        </Menu.Dropdown>
      </Menu>
      {problem && <Text variant="note">{problem.reason}</Text>}
    </>
  );
};

/** The trace ID in a caller's `traceparent`, which its notifications contain, too. */
const TRACE_CONTEXT = /^00-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}$/;

/** Beside the bytes: consequences, facts, and the caller's previous and next calls. */
const Aside = ({ detail }: { detail: Call }) => {
  const query = useQuery(traceQuery(useWorld(), detail.trace_id));
  const context = detail.request_headers.find(([name]) => name.toLowerCase() === "traceparent")?.[1] ?? "";
  const callersTrace = TRACE_CONTEXT.exec(context)?.[1];
  return (
    <>
      <div className="sec">
        <h3 className="h2">Changes and events</h3>
      </div>
      <Read of={query} what="the trace" rows={3}>
        {(trace) => (
          <Stack gap="sm" px="lg" pb="md">
            <Changes changes={trace.changes} brief />
            <EventsAndDeliveries trace={trace} />
          </Stack>
        )}
      </Read>
      <section className="hl" aria-label="This call">
        <div className="sec">
          <h3 className="h2">This call</h3>
        </div>
        <Box px="lg" pb="md">
          <KeyValue
            rows={[
              ...shownFacts(detail, useCallerName()(detail)),
              callersTrace === undefined
                ? null
                : ["Caller’s trace", <Id key={callersTrace} value={callersTrace} what="trace ID of the caller" />],
            ]}
          />
        </Box>
      </section>
      <Around of={detail} />
    </>
  );
};

interface ShownProps {
  readonly detail: Call;
  readonly tab: DetailTab;
}

const SHOWN_IGNORED = 5;

/** Unknown fields of the body, which the operation ignores silently. */
const Ignored = ({ fields }: { fields: Explanation["ignored"] }) => (
  <Box fz="sm" lh="sm" className="hl" component="p" py="md" px="lg">
    <span className="st wait">
      <Icon of={IconAlertTriangle} />
      {plural(fields.length, "field")} ignored
    </span>{" "}
    {fields
      .slice(0, SHOWN_IGNORED)
      .map(({ message }) => message)
      .join("; ")}
    {fields.length > SHOWN_IGNORED && `; and ${fields.length - SHOWN_IGNORED} more`} <Origin of="assumption" id="D7" />
  </Box>
);

/** Notes on a successful call: ignored headers, test values without effect, missing subscriptions. */
const Notes = ({ notes }: { notes: readonly string[] }) => (
  <Box fz="sm" lh="sm" className="hl" component="p" py="md" px="lg">
    <span className="st wait">
      <Icon of={IconAlertTriangle} />
      {plural(notes.length, "note")}
    </span>{" "}
    {notes.join(" ")}
  </Box>
);

const Panel = ({ detail, tab, explanation }: ShownProps & { explanation: Explanation | undefined }) => {
  const { with: other } = useRequestPageParams();
  const who = useCallerName();
  switch (tab) {
    case "headers":
      return <RequestHeaders detail={detail} />;
    case "answer":
      return <RecordedResponse detail={detail} />;
    case "trace":
      return <TraceAxis request={detail} by={who(detail)} />;
    case "compare":
      return <CompareTab detail={detail} other={other} />;
    default:
      return (
        <>
          <RequestBody detail={detail} refusal={explanation?.refusal} />
          {explanation?.refusal === null && explanation.notes && <Notes notes={explanation.notes} />}
          {explanation && explanation.ignored.length > 0 && <Ignored fields={explanation.ignored} />}
          {explanation?.correction && <CorrectionNote correction={explanation.correction} />}
          {explanation && <Checks checks={explanation.checks} />}
        </>
      );
  }
};

const Shown = ({ detail, tab }: ShownProps) => {
  const [, navigate] = useLocation();
  const [sending, setSending] = useState<{ readonly correction: Correction | null } | null>(null);
  const world = useWorld();
  const { data: explanation } = useQuery(explanationQuery(world, detail.id));
  const title = callTitle(detail);
  const who = useCallerName();
  const isWhole = tab === "trace" || tab === "compare";
  const tabs = useMemo(
    () => [
      { value: "body" as const, label: "Body" },
      { value: "headers" as const, label: "Headers", count: detail.request_headers.length, noun: "header" },
      { value: "answer" as const, label: `Response, ${formatBytes(detail.response_bytes)}` },
      { value: "trace" as const, label: "Trace" },
      { value: "compare" as const, label: "Compare" },
    ],
    [detail],
  );
  const [recording, setRecording] = useState(false);
  const actions = <Actions detail={detail} onEdit={() => setSending({ correction: null })} />;
  return (
    <Detail
      label={`${title}, ${detail.status || "no response"}`}
      before={<SideGlyph side={detail.side} labelled />}
      title={title}
      beside={
        <>
          {detail.operation !== null && <OperationName name={detail.operation} />}
          <HttpStatus status={detail.status} />
          <Touched row={detail} />
          <Text variant="aside" truncate>
            <Time at={detail.at} as="precise" on="real" />, {who(detail)}
          </Text>
        </>
      }
      actions={
        <>
          {worldAccess() === null && (
            <IconButton
              small
              icon={IconPlayerRecord}
              label="Record this call as a scenario"
              verb="Record"
              onClick={() => setRecording(true)}
            />
          )}
          <BranchButton look="icon" of={{ id: detail.id, title, world, name: world }} />
          <ShareMenu of={{ kind: "call", call: detail }} />
          <CopyLink place="Requests" href={hrefs.request(detail.id)} what="this call" />
        </>
      }
      side={!isWhole && <Aside detail={detail} />}
      sideLabel="Changes and events"
      scrolls={isWhole}
    >
      {explanation?.refusal && !isWhole ? (
        <RefusalBox
          detail={detail}
          explanation={explanation}
          actions={actions}
          onFix={() => setSending({ correction: explanation.correction })}
        />
      ) : (
        <Group wrap="wrap" className="hb" flex="none" px="lg" py="sm">
          {actions}
        </Group>
      )}
      {explanation?.warning !== undefined && (
        <Text component="p" px="lg" py="sm" className="toned wait hb" role="status">
          <Sentence text={explanation.warning} />
        </Text>
      )}
      <Tabs
        value={tab}
        onChange={(to) => {
          const { id, replays_id } = detail;
          const href = to === "compare" ? compareHref(id, replays_id ?? null) : hrefs.request(id, to ?? undefined);
          navigate(href, { replace: true });
        }}
      >
        <CountedTabs label="The call" tabs={tabs} />
        <Tabs.Panel value={tab}>
          <Panel detail={detail} tab={tab} explanation={explanation} />
        </Tabs.Panel>
      </Tabs>
      <Dialog
        opened={sending !== null}
        onClose={() => setSending(null)}
        title={sending?.correction ? "Fix in editor" : "Edit and send"}
        size={720}
      >
        {sending && <SendForm detail={detail} correction={sending.correction} onSent={() => setSending(null)} />}
      </Dialog>
      <RecordDialog opened={recording} onClose={() => setRecording(false)} calls={[detail.id]} />
    </Detail>
  );
};

export const RequestDetail = ({ id, tab }: { id: string; tab: DetailTab }) => {
  const query = useQuery(exchangeQuery(useWorld(), id));
  usePageTitle(query.data && callTitle(query.data), "Requests");
  return (
    <Read
      of={query}
      what="the call"
      rows={6}
      missing={
        <Missing
          icon={IconMailOff}
          title="Call not found"
          why="This call was deleted by a reset or by retention, or it belongs to another world."
          href="/requests"
          all="All calls"
        />
      }
    >
      {(detail) => <Shown detail={detail} tab={tab} />}
    </Read>
  );
};
