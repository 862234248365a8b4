import { Box, Menu } from "@mantine/core";
import {
  IconAlertTriangle,
  IconArrowsDiff,
  IconCode,
  IconMailOff,
  IconPencil,
  IconPlayerRecord,
  IconRotateClockwise,
  IconTicket,
} from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useLocation } from "wouter";
import type { RequestDetail as Call } from "../../../../sandbox/contract/control/rows.ts";
import { hrefs } from "../../../app/places.ts";
import { usePageTitle } from "../../../app/titles.ts";
import { Touched } from "../../../app/touched.tsx";
import { useWorld } from "../../../app/world.ts";
import { Button, IconButton, LinkButton } from "../../../components/button.tsx";
import { CopyLink, Detail } from "../../../components/detail.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import { NothingYet } from "../../../components/empty.tsx";
import { HttpStatus } from "../../../components/http-status.tsx";
import { Icon } from "../../../components/icon.tsx";
import { TextLink } from "../../../components/link.tsx";
import { OperationName } from "../../../components/operation.tsx";
import { Origin } from "../../../components/origin.tsx";
import { Read } from "../../../components/read.tsx";
import { SideGlyph } from "../../../components/side.tsx";
import { Tabs } from "../../../components/tabs.tsx";
import { Time } from "../../../components/time.tsx";
import { useKeys } from "../../../components/use-keys.ts";
import { CopyAsItems } from "../../../domain/exchange/copy-as.tsx";
import { useWho } from "../../../domain/exchange/exchange.tsx";
import type { Correction, Explanation } from "../../../domain/exchange/explanation.ts";
import { callTitle } from "../../../domain/exchange/operation-words.ts";
import { exchangeQuery } from "../../../domain/exchange/queries.ts";
import { RecordDialog } from "../../../domain/scenario/record-dialog.tsx";
import { ShareMenu } from "../../../domain/share/share-menu.tsx";
import { explanationQuery, traceQuery } from "../../../domain/trace/queries.ts";
import { formatBytes, formatMs, plural, shortened } from "../../../lib/formatting.ts";
import { ServiceFailure } from "../../../lib/service-failure.ts";
import { Note, NoteButton, PinButton } from "../acting/annotate.tsx";
import { useSendAgain } from "../acting/send-again.ts";
import { SendForm } from "../acting/send-form.tsx";
import { compareHref, type DetailTab, usePageParams } from "../addresses.ts";
import { ExportForm } from "../export/export-form.tsx";
import { Around } from "./around.tsx";
import { AnswerPane, RequestBody, RequestHeaders } from "./body-panes.tsx";
import { Checks } from "./checks.tsx";
import { CompareTab } from "./compare-tab.tsx";
import { CorrectionNote, Suggestions } from "./correction.tsx";
import styles from "./detail.module.css";
import { RefusalBox } from "./refusal.tsx";
import { TimeLine } from "./time-line-view.tsx";
import { TraceTab } from "./trace-tab.tsx";

/** When it was, who called and how long it took. */
const When = ({ detail }: { detail: Call }) => {
  const { integration_id } = detail;
  // Several of an organization's programs may call: the identifier tells them apart.
  const caller = [useWho()(detail), integration_id && shortened(integration_id)?.join("…")].filter(Boolean).join(" ");
  return (
    <span className="t12 t3 el" title={`${caller}, ${formatMs(detail.duration_ms)}`}>
      <Time at={detail.at} as="precise" on="real" />, {caller}, {formatMs(detail.duration_ms)}
    </span>
  );
};

const Actions = ({ detail, onEdit, onTicket }: { detail: Call; onEdit: () => void; onTicket: () => void }) => {
  const replay = useSendAgain(detail.id);
  const send = () => !replay.isPending && replay.mutate({});
  useKeys("Requests", [
    { keys: ["r"], label: "Replay call", acts: true, run: send },
    { keys: ["e"], label: "Edit and send it", run: onEdit },
  ]);
  return (
    <>
      <Button small icon={IconRotateClockwise} keys="r" busy={replay.isPending} onClick={send}>
        Replay
      </Button>
      <Button small icon={IconPencil} keys="e" onClick={onEdit}>
        Edit and send
      </Button>
      <LinkButton small icon={IconArrowsDiff} href={compareHref(detail.id, detail.replays_id ?? null)}>
        Compare
      </LinkButton>
      <Button small icon={IconTicket} onClick={onTicket}>
        Ticket
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
    </>
  );
};

/** Beside the bytes: what followed on a small scale, and the caller's calls before and after. */
const Aside = ({ detail }: { detail: Call }) => {
  const query = useQuery(traceQuery(useWorld(), detail.trace_id));
  return (
    <aside className={`scroll ${styles.aside}`} aria-label="Trace">
      <div className="sec">
        <h3 className="h2">Trace</h3>
        <span className="r">
          <TextLink href={hrefs.request(detail.id, "trace")}>Open</TextLink>
        </span>
      </div>
      <Read of={query} what="the trace" rows={3}>
        {(trace) => <TimeLine trace={trace} request={detail} />}
      </Read>
      <Around of={detail} />
    </aside>
  );
};

interface ShownProps {
  readonly detail: Call;
  readonly tab: DetailTab;
}

const SHOWN_IGNORED = 5;

/** What the body had that the operation does not know: it was left aside without a word. */
const Ignored = ({ fields }: { fields: Explanation["ignored"] }) => (
  <Box className="t12 hl" component="p" py="md" px="lg">
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

const Panel = ({ detail, tab, explanation }: ShownProps & { explanation: Explanation | undefined }) => {
  const { with: other } = usePageParams();
  switch (tab) {
    case "headers":
      return <RequestHeaders detail={detail} />;
    case "answer":
      return <AnswerPane detail={detail} />;
    case "trace":
      return <TraceTab request={detail} />;
    case "compare":
      return <CompareTab detail={detail} other={other} />;
    default:
      return (
        <>
          <RequestBody detail={detail} refusal={explanation?.refusal} />
          {explanation && explanation.ignored.length > 0 && <Ignored fields={explanation.ignored} />}
          {explanation?.correction && <CorrectionNote correction={explanation.correction} />}
          {explanation && explanation.suggestions.length > 0 && <Suggestions suggestions={explanation.suggestions} />}
          {explanation && <Checks checks={explanation.checks} />}
        </>
      );
  }
};

const Shown = ({ detail, tab }: ShownProps) => {
  const [, navigate] = useLocation();
  const [noting, setNoting] = useState(false);
  const [sending, setSending] = useState<{ readonly correction: Correction | null } | null>(null);
  const { data: explanation } = useQuery(explanationQuery(useWorld(), detail.id));
  const title = callTitle(detail);
  const isWhole = tab === "trace" || tab === "compare";
  const tabs = useMemo(
    () => [
      { value: "body" as const, label: "Body" },
      { value: "headers" as const, label: "Headers", count: detail.request_headers.length, noun: "header" },
      { value: "answer" as const, label: `Answer, ${formatBytes(detail.response_bytes)}` },
      { value: "trace" as const, label: "Trace" },
      { value: "compare" as const, label: "Compare" },
    ],
    [detail],
  );
  const [exporting, setExporting] = useState(false);
  const [recording, setRecording] = useState(false);
  const actions = (
    <Actions detail={detail} onEdit={() => setSending({ correction: null })} onTicket={() => setExporting(true)} />
  );
  return (
    <Detail
      label={`${title}, ${detail.status || "no answer"}`}
      before={<SideGlyph side={detail.side} labelled />}
      title={title}
      beside={
        <>
          {detail.operation !== null && <OperationName name={detail.operation} />}
          <HttpStatus status={detail.status} />
          <Touched row={detail} />
          <When detail={detail} />
        </>
      }
      actions={
        <>
          <PinButton detail={detail} />
          <NoteButton onEdit={() => setNoting(true)} />
          <IconButton
            small
            icon={IconPlayerRecord}
            label="Record this call as a scenario"
            onClick={() => setRecording(true)}
          />
          <ShareMenu of={{ kind: "call", call: detail }} />
          <CopyLink place="Requests" href={hrefs.request(detail.id)} what="this call" />
        </>
      }
    >
      <Note detail={detail} editing={noting} onEdit={setNoting} />
      <div className={styles.panes} data-whole={isWhole || undefined}>
        <div className={`col scroll ${styles.main}`}>
          {explanation?.refusal && !isWhole ? (
            <RefusalBox
              detail={detail}
              explanation={explanation}
              actions={actions}
              onFix={() => setSending({ correction: explanation.correction })}
            />
          ) : (
            <div className={`${styles.bar} row wrap ${styles.actions}`}>
              {actions}
              {detail.replays_id !== undefined && (
                <span className="t12 t3">
                  replay of <TextLink href={hrefs.request(detail.replays_id)}>an earlier call</TextLink>
                </span>
              )}
            </div>
          )}
          <Tabs
            label="The call"
            tabs={tabs}
            value={tab}
            onChange={(to) =>
              navigate(
                to === "compare" ? compareHref(detail.id, detail.replays_id ?? null) : hrefs.request(detail.id, to),
                {
                  replace: true,
                },
              )
            }
          >
            <Panel detail={detail} tab={tab} explanation={explanation} />
          </Tabs>
        </div>
        {!isWhole && <Aside detail={detail} />}
      </div>
      <Dialog
        opened={sending !== null}
        onClose={() => setSending(null)}
        title={sending?.correction ? "Fix and send" : "Edit and send"}
        size={720}
      >
        {sending && <SendForm detail={detail} correction={sending.correction} onSent={() => setSending(null)} />}
      </Dialog>
      <Dialog opened={exporting} onClose={() => setExporting(false)} title="Ticket of this call" size={480}>
        <ExportForm of={{ ids: [detail.id] }} onDone={() => setExporting(false)} />
      </Dialog>
      <RecordDialog opened={recording} onClose={() => setRecording(false)} calls={[detail.id]} />
    </Detail>
  );
};

export const RequestDetail = ({ id, tab }: { id: string; tab: DetailTab }) => {
  const query = useQuery(exchangeQuery(useWorld(), id));
  const { data, error } = query;
  usePageTitle(data && callTitle(data), "Requests");
  if (error instanceof ServiceFailure && (error.status === 404 || error.status === 400))
    return (
      <NothingYet icon={IconMailOff} title="Call not found" link={["/requests", "All calls"]}>
        This call was deleted by a reset or by retention, or it belongs to another world. Pin a call to keep it.
      </NothingYet>
    );
  return (
    <Read of={query} what="the call" rows={6}>
      {(detail) => <Shown detail={detail} tab={tab} />}
    </Read>
  );
};
