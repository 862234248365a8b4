import { ButtonGroup, EmptyState, Group, Menu, Stack, Tabs, Text } from "@mantine/core";
import { IconChevronDown, IconFlask, IconMailOff, IconSend, IconTimeline } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import type { Attempt, Delivery } from "../../../../sandbox/contract/control/rows.ts";
import { type DrillName, drillNames } from "../../../../sandbox/contract/drill-names.ts";
import { drills } from "../../../../sandbox/contract/drills.ts";
import { Button, IconButton } from "../../../components/button.tsx";
import { Detail } from "../../../components/detail.tsx";
import { KeyValue } from "../../../components/key-value.tsx";
import { TextLink } from "../../../components/link.tsx";
import { Missing, Read } from "../../../components/read.tsx";
import { SideGlyph } from "../../../components/side.tsx";
import { useKeys } from "../../../components/use-keys.ts";
import { Origin } from "../../../domain/decision/origin.tsx";
import { DeliveryState } from "../../../domain/delivery/delivery-state.tsx";
import { deliveryText, shownFacts } from "../../../domain/delivery/fields.tsx";
import { deliveryQuery } from "../../../domain/delivery/queries.ts";
import { ResponseStatus } from "../../../domain/delivery/response-status.tsx";
import { attemptOutcome, attemptVerdict } from "../../../domain/delivery/verdict.ts";
import { ShareMenu } from "../../../domain/share/share-menu.tsx";
import { VerdictNote } from "../../../domain/trace/verdict-note.tsx";
import { CopyLink } from "../../../kernel/addresses/copy-link.tsx";
import { hrefs } from "../../../kernel/addresses/hrefs.ts";
import { currentLocation, useNavigateAfter } from "../../../kernel/addresses/navigate-after.ts";
import { usePageTitle } from "../../../kernel/place/titles.ts";
import { useControl } from "../../../kernel/queries/use-act.ts";
import { useUi } from "../../../kernel/stores/ui-store.ts";
import { useWorld } from "../../../kernel/world/world.ts";
import { bytesFromBase64, parseJsonBytes } from "../../../lib/bytes.ts";
import { fieldIn } from "../../../lib/field-in.ts";
import { formatMs } from "../../../lib/formatting.ts";
import { pageParams, toSubscriptions, useWebhookPageParams } from "../addresses.ts";
import { Drills } from "../drills/drills.tsx";
import { type Drilling, useDrills } from "../drills/run-drills.ts";
import { correctResponse } from "../drills/score.ts";
import { attemptForLab, useOpenInLab } from "../lab/lab-store.ts";
import { MessagePane } from "../message/message-pane.tsx";
import { ReceiverResponse } from "../message/receiver-response.tsx";
import { VerificationSteps } from "../message/verification-steps.tsx";
import { AttemptsPane } from "./attempts-pane.tsx";

/** Sends a notification again, which is a new delivery, or as a drill, which isn't a delivery. */
const SendMenu = ({ delivery, drilling }: { delivery: Delivery; drilling: Drilling }) => {
  const [open, setOpen] = useState(false);
  const navigateAfter = useNavigateAfter();
  const world = useWorld();
  const { query, change } = useWebhookPageParams();
  const sendAgain = useControl("deliveries.redeliver", { changes: ["delivery"], failed: "Send delivery again" });
  const { why } = drilling;
  const send = () => {
    if (sendAgain.isPending) return;
    const askedAt = currentLocation();
    const onSuccess = (created: { readonly id: string }) =>
      navigateAfter(
        askedAt,
        { href: hrefs.delivery(created.id) + pageParams.format(query, { drill: null }), label: "Open delivery", world },
        {
          title: "Sent again",
          detail: "A new delivery with the same message_id, a new timestamp and signature.",
          link: { href: hrefs.delivery(delivery.id), label: "Original delivery", world },
        },
      );
    // Callbacks of `mutate` itself don't run after unmounting.
    void sendAgain.mutateAsync({ id: delivery.id }).then(onSuccess, () => undefined);
  };
  const drill = (name: DrillName) => {
    change({ show: "drills", drill: name });
    drilling.run(name);
  };
  useKeys("Webhooks", [
    { keys: ["s"], label: "Send this notification again", acts: true, run: send },
    { keys: ["d"], label: "Send it as a drill", needs: "act", enabled: why === null, run: () => setOpen(true) },
  ]);
  return (
    <ButtonGroup>
      <Button small icon={IconSend} keys="s" acts busy={sendAgain.isPending} onClick={send}>
        Send again
      </Button>
      <Menu position="bottom-end" width={400} opened={open} onChange={setOpen}>
        <Menu.Target>
          <IconButton
            small
            look="default"
            icon={IconChevronDown}
            label={why ?? "Send it as a drill"}
            disabled={why !== null}
          />
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>As a drill: repeated, varied or with one deliberate mistake</Menu.Label>
          {drillNames.map((name) => (
            <Menu.Item key={name} onClick={() => drill(name)}>
              <Group component="span">
                <Text component="b" flex={1} miw={0} fw={500}>
                  {drills[name].title}
                </Text>
                <Text variant="aside">must {correctResponse(drills[name].expects)}</Text>
              </Group>
              <Text variant="note">{drills[name].sends}</Text>
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </ButtonGroup>
  );
};

/** Returns whether a built-in receiver reported the message as a duplicate. */
const isRepeat = ({ response_body_base64 }: Attempt): boolean =>
  fieldIn(parseJsonBytes(bytesFromBase64(response_body_base64)), "deduped") === true;

/** The receiver's response to an attempt, or the reason for none. A failure's cause is above the attempts. */
const AttemptResponse = ({ attempt }: { attempt: Attempt }) => (
  <Stack component="section" className="hb" px="lg" py={14} aria-label={`Response to attempt ${attempt.number}`}>
    <h2 className="h2">Response to attempt {attempt.number}</h2>
    <Group>
      <ResponseStatus status={attempt.response_status} error={attempt.error} />
      <Text variant="aside">after {formatMs(attempt.duration_ms)}</Text>
    </Group>
    {attempt.error && (
      <Text component="p" size="sm" c="bright">
        {attempt.error}
      </Text>
    )}
    {attemptOutcome(attempt) === "acknowledged" && (
      <Text component="p" variant="note">
        200 acknowledges the notification.
        {isRepeat(attempt) && " The receiver had already processed this message_id."} <Origin of="contract" />
      </Text>
    )}
    {attempt.response_status !== null && (
      <ReceiverResponse of={attempt} label={`response to attempt ${attempt.number}`} />
    )}
  </Stack>
);

/** Beside the bytes: the response and links to the delivery's calls, or the drills. */
const Aside = ({
  delivery,
  attempt,
  drilling,
}: {
  delivery: Delivery;
  attempt: Attempt | null;
  drilling: Drilling;
}) => {
  const { values, change } = useWebhookPageParams();
  const { card } = drilling;
  const score = card && card.run > 0 ? ` ${card.passed}/${card.items.length}` : "";
  return (
    <Tabs
      value={values.show}
      onChange={(show) => change(show === "drills" ? { show } : { show: "answer", drill: null })}
    >
      <Tabs.List aria-label="Beside this delivery">
        <Tabs.Tab value="answer">Response</Tabs.Tab>
        <Tabs.Tab value="drills">Drills{score}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value={values.show}>
        {values.show === "drills" ? (
          <Drills drilling={drilling} withCode={false} />
        ) : (
          <div>
            {attempt && <AttemptResponse key={attempt.number} attempt={attempt} />}
            <Stack component="section" px="lg" py={14} aria-label="This delivery">
              <h2 className="h2">This delivery</h2>
              <KeyValue rows={shownFacts(delivery)} />
            </Stack>
          </div>
        )}
      </Tabs.Panel>
    </Tabs>
  );
};

const Shown = ({ delivery, chosen }: { delivery: Delivery; chosen: string | undefined }) => {
  const [, navigate] = useLocation();
  const { attempts } = delivery;
  // The attempt in the address; by default, or when it doesn't exist, the last.
  const attempt = attempts.find(({ number }) => String(number) === chosen) ?? attempts.at(-1) ?? null;
  const { query } = useWebhookPageParams();
  const drilling = useDrills(delivery.subscription_id, delivery.id);
  const verdict = attempt && attemptVerdict(attempt);
  const showInWire = useUi((state) => state.showInWire);
  const openInLab = useOpenInLab();
  const { procurement_id } = delivery;
  const about = procurement_id === null ? hrefs.job(delivery.job_id) : hrefs.procurement(procurement_id);
  const choose = (number: number) =>
    navigate(`${hrefs.delivery(delivery.id)}/${number}${pageParams.format(query, {})}`, { replace: true });
  return (
    <Detail
      label={`${delivery.event_type} ${delivery.label}`}
      before={<SideGlyph side={delivery.side} labelled />}
      title={<Text variant="code">{delivery.event_type}</Text>}
      beside={
        <>
          <DeliveryState of={delivery} pill />
          <Group component="span" style={{ overflow: "hidden", whiteSpace: "nowrap" }}>
            {delivery.test ? <span>{delivery.label}</span> : <TextLink href={about}>{delivery.label}</TextLink>}{" "}
            <Text variant="mono" c="dimmed" truncate>
              {delivery.announces}
            </Text>
          </Group>
        </>
      }
      actions={
        <>
          {!delivery.test && (
            <IconButton
              small
              icon={IconTimeline}
              label="View the call that caused this delivery"
              verb="View the call"
              onClick={() => showInWire(delivery.trace_id)}
            />
          )}
          <ShareMenu
            of={{
              kind: "delivery",
              id: delivery.id,
              label: delivery.label,
              trace: delivery.test ? null : delivery.trace_id,
            }}
          />
          <CopyLink place="Webhooks" href={hrefs.delivery(delivery.id)} what="this delivery" />
          <SendMenu delivery={delivery} drilling={drilling} />
        </>
      }
      side={<Aside delivery={delivery} attempt={attempt} drilling={drilling} />}
      sideLabel="About this delivery"
    >
      {verdict && <VerdictNote verdict={verdict} text={deliveryText(delivery, verdict)} />}
      {attempt && (
        <section aria-label="Verification">
          <VerificationSteps
            verification={attempt.verification}
            judged={{
              bytes: bytesFromBase64(attempt.request_body_base64),
              headers: attempt.request_headers,
              at: attempt.started_at,
            }}
          />
        </section>
      )}
      <AttemptsPane delivery={delivery} selected={attempt?.number ?? null} onSelect={choose} />
      {attempt ? (
        <MessagePane
          key={`body ${attempt.number}`}
          bytes={bytesFromBase64(attempt.request_body_base64)}
          headers={attempt.request_headers}
          label={`Body of attempt ${attempt.number}`}
          actions={
            <Button small icon={IconFlask} onClick={() => openInLab(attemptForLab(delivery, attempt))}>
              Open in the lab
            </Button>
          }
        />
      ) : (
        <EmptyState
          icon={<IconMailOff />}
          title={delivery.ended_at ? "Never attempted" : "Not attempted yet"}
          description="Each attempt has its own timestamp and signature, so the body is created when it is sent."
        />
      )}
    </Detail>
  );
};

export const DeliveryDetail = ({ id, chosen }: { id: string; chosen: string | undefined }) => {
  const query = useQuery(deliveryQuery(useWorld(), id));
  usePageTitle(query.data && `${query.data.event_type} ${query.data.label}`, "Webhooks");
  return (
    <Read
      of={query}
      what="the delivery"
      rows={6}
      // A delivery without attempts is deleted with its subscription, possibly while it is open.
      missing={
        <Missing
          {...toSubscriptions}
          icon={IconMailOff}
          title="Delivery not found"
          why="It was deleted by a reset or with its subscription, or it belongs to another world."
        />
      }
    >
      {(delivery) => <Shown delivery={delivery} chosen={chosen} />}
    </Read>
  );
};
