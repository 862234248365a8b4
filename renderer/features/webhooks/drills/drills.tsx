import { Box, Group, Progress, Stack, Text, UnstyledButton } from "@mantine/core";
import {
  IconCheck,
  IconChevronDown,
  IconChevronRight,
  IconCircleDashed,
  IconClock,
  IconFlask,
  IconMinus,
  IconPlayerPlay,
  IconX,
} from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useId, useRef } from "react";
import type { DrillExchange } from "../../../../sandbox/contract/control/receiver-operations.ts";
import { drillNames } from "../../../../sandbox/contract/drill-names.ts";
import { drills } from "../../../../sandbox/contract/drills.ts";
import { Button } from "../../../components/button.tsx";
import { Icon } from "../../../components/icon.tsx";
import { TextLink } from "../../../components/link.tsx";
import { Read } from "../../../components/read.tsx";
import { Note } from "../../../components/section.tsx";
import { stateTone } from "../../../components/state.tsx";
import { Time } from "../../../components/time.tsx";
import { useKeys } from "../../../components/use-keys.ts";
import { Origin } from "../../../domain/decision/origin.tsx";
import { ResponseStatus } from "../../../domain/delivery/response-status.tsx";
import { hrefs } from "../../../kernel/addresses/hrefs.ts";
import { worldKeys } from "../../../kernel/queries/query-keys.ts";
import { useWorld } from "../../../kernel/world/world.ts";
import { bytesFromBase64 } from "../../../lib/bytes.ts";
import { controlQuery } from "../../../lib/control-query.ts";
import { formatMs } from "../../../lib/formatting.ts";
import { useWebhookPageParams } from "../addresses.ts";
import { useOpenInLab } from "../lab/lab-store.ts";
import { findSignature } from "../message/notification.ts";
import { ReceiverResponse } from "../message/receiver-response.tsx";
import { Snippet } from "../message/snippet.tsx";
import { part, RefusedBox } from "../parts.tsx";
import type { Drilling } from "./run-drills.ts";
import { type DrillCard, type DrillLine, drillMark, lineText, scoreText } from "./score.ts";
import { usualLines } from "./usual-lines.ts";

/** Marks and labels of a drill's states. */
const stateMarks = {
  passed: { state: "passed", icon: IconCheck, word: "passed" },
  failed: { state: "refused", icon: IconX, word: "failed" },
  not_run: { state: "skipped", icon: IconCircleDashed, word: "not run" },
  unproven: { state: "skipped", icon: IconMinus, word: "inconclusive" },
  running: { state: "running", icon: IconClock, word: "running" },
} as const;

/** A request and its response; the lab shows the bytes and their problems. */
const Exchange = ({ exchange, title, number }: { exchange: DrillExchange; title: string; number: number }) => {
  const openInLab = useOpenInLab();
  const { what, response_status, error, duration_ms, request_body_base64, request_headers, sent_at } = exchange;
  return (
    <Stack gap="xs">
      <Group wrap="wrap">
        <span>{what}</span>
        <ResponseStatus status={response_status} error={error} />
        <Text flex={1} miw={0} c="dimmed">
          after {formatMs(duration_ms)}
        </Text>
        <Button
          small
          look="quiet"
          icon={IconFlask}
          onClick={() =>
            openInLab({
              body: bytesFromBase64(request_body_base64),
              header: findSignature(request_headers),
              at: sent_at,
              from: `the drill “${title}”`,
            })
          }
        >
          Open in the lab
        </Button>
      </Group>
      {response_status !== null && <ReceiverResponse of={exchange} label={`response to ${what}`} number={number} />}
    </Stack>
  );
};

const MAX_SHOWN = 3;

/** Returns all requests of a drill if few; of many, the first failed and the first passed one. */
const shownExchanges = (exchanges: readonly DrillExchange[]): readonly DrillExchange[] => {
  if (exchanges.length <= MAX_SHOWN) return exchanges;
  const first = new Set(["failed", "passed"].map((verdict) => exchanges.find((one) => one.verdict === verdict)));
  return exchanges.filter((one) => first.has(one));
};

const Latest = ({ id, title }: { id: string; title: string }) => {
  const world = useWorld();
  // A drill's result never changes.
  const query = useQuery(controlQuery([...worldKeys(world).all, "drill", id], "drills.get", { id, world }));
  return (
    <Read of={query} what="what was sent" rows={3}>
      {({ exchanges, at, delivery_id, event_type, label }) => (
        <>
          {shownExchanges(exchanges).map((exchange, index) => (
            <Exchange key={exchange.what} exchange={exchange} title={title} number={index + 1} />
          ))}
          {exchanges.length > MAX_SHOWN && (
            <p>
              {exchanges.length - shownExchanges(exchanges).length} more of {exchanges.length} aren’t shown here. All of
              them are in <Text variant="mono">drills.get</Text>.
            </p>
          )}
          <Text component="p" c="dimmed">
            Run <Time at={at} on="real" />, from{" "}
            <TextLink href={hrefs.delivery(delivery_id)}>
              {event_type} {label}
            </TextLink>
          </Text>
        </>
      )}
    </Read>
  );
};

/** A drill's state; expanded, its request and purpose, the correct response, the actual one, and correct code. */
const DrillItem = ({ line, drilling, withCode }: { line: DrillLine; drilling: Drilling; withCode: boolean }) => {
  const { drill, latest } = line;
  const { title, sends, why, expects, mistake } = drills[drill];
  const { values, change } = useWebhookPageParams();
  const open = values.drill === drill;
  const panel = useId();
  const row = useRef<HTMLLIElement>(null);
  const running = drilling.isRunning(drill);
  const { state, icon, word } = stateMarks[running ? "running" : drillMark(line)];
  useEffect(() => {
    // A drill from an address, or one that was just sent, may be out of view.
    if (open) row.current?.scrollIntoView({ block: "nearest" });
  }, [open]);
  return (
    <li ref={row} className={`hb ${drillMark(line) === "failed" && !running ? "bad toned" : stateTone(state)}`}>
      <UnstyledButton
        className="hov"
        w="100%"
        py={6}
        pr="md"
        pl="lg"
        aria-expanded={open}
        aria-controls={panel}
        onClick={() => change({ drill: open ? null : drill })}
      >
        <Group component="span">
          <span className="st">
            <Icon of={icon} size={14} />
            <span className="sr">{word}: </span>
          </span>
          <Text fw={500} truncate flex={1}>
            {title}
          </Text>
          <Icon of={open ? IconChevronDown : IconChevronRight} size={12} />
        </Group>
        <Text component="span" display="block" variant="note" pl={22}>
          {running ? "Running" : lineText(line)}
        </Text>
      </UnstyledButton>
      <div id={panel} hidden={!open}>
        {open && (
          <Stack variant="note" pt={2} pr="lg" pb="md" pl={38}>
            <Text component="p" c="bright">
              {sends}
            </Text>
            <p>{why}</p>
            {mistake && !latest?.sentence.includes(mistake) && (
              <p>
                <Text component="b" fw={500} c="bright">
                  It finds this mistake:
                </Text>{" "}
                {mistake}
              </p>
            )}
            <p>
              A correct receiver{" "}
              {expects.answer === "acknowledge" ? (
                <>
                  acknowledges it with{" "}
                  <Text component="b" variant="code">
                    200
                  </Text>
                  . <Origin of="contract" />
                </>
              ) : (
                <>
                  refuses it with{" "}
                  <Text component="b" variant="code">
                    4xx
                  </Text>
                  ; the test receiver returns{" "}
                  <Text component="b" variant="code">
                    {expects.status}
                  </Text>{" "}
                  <Text variant="mono">{expects.reason}</Text>. <Origin of="assumption" id="D78" />
                </>
              )}
            </p>
            <Group wrap="wrap">
              <Button
                small
                icon={IconPlayerPlay}
                busy={running}
                disabled={!drilling.canRun}
                onClick={() => drilling.run(drill)}
              >
                {latest ? "Run again" : "Run"}
              </Button>
              {!withCode && (
                <TextLink href={hrefs.subscription(drilling.subscriptionId, drill)}>View example code</TextLink>
              )}
            </Group>
            {latest && <Latest key={latest.id} id={latest.id} title={title} />}
            {withCode && (expects.reason || mistake) && <Snippet reason={expects.reason} usual={usualLines[drill]} />}
          </Stack>
        )}
      </div>
    </li>
  );
};

/** The number of passed drills. */
const Score = ({ card: { passed, items }, words }: { card: DrillCard; words: string }) => (
  <Group role="img" aria-label={words}>
    <b>
      {passed} of {items.length}
    </b>
    <Progress value={(passed / items.length) * 100} color="var(--ok)" flex={1} maw={240} aria-hidden="true" />
  </Group>
);

/**
 * A subscription's results of all drills, with run buttons.
 * @param withCode whether there is room for code that passes
 */
export const Drills = ({ drilling, withCode }: { drilling: Drilling; withCode: boolean }) => {
  const { why, canRun, card, isRunning } = drilling;
  const { drill } = useWebhookPageParams().values;
  const runAll = () => drilling.run("all");
  useKeys("Webhooks", [
    { keys: ["a"], label: "Run all drills on this subscription", acts: true, enabled: canRun, run: runAll },
    {
      keys: ["r"],
      label: "Run the open drill",
      acts: true,
      enabled: canRun && drill !== null,
      run: () => drill && drilling.run(drill),
    },
  ]);
  return (
    <Read of={drilling.read} what="the drills" rows={drillNames.length}>
      {(shown) => (
        <section aria-label="Drills">
          <Stack {...part}>
            <Group>
              <h2 className="h2">Drills</h2>
              <Origin of="extension" />
              <Box component="span" flex={1} miw={0}>
                {shown && <Score card={shown} words={scoreText(shown)} />}
              </Box>
              <Button small icon={IconPlayerPlay} busy={isRunning("all")} disabled={!canRun} onClick={runAll}>
                Run all
              </Button>
            </Group>
            <Note>
              {why ??
                (card?.newest_delivery
                  ? "Each drill sends a notification again, repeated, varied or with one deliberate mistake. Drills never affect deliveries."
                  : "No deliveries yet. A drill repeats a delivery: send a test event, or change a job.")}
            </Note>
            <RefusedBox error={drilling.error} />
          </Stack>
          <ul className="hl">
            {shown?.items.map((line) => (
              <DrillItem key={line.drill} line={line} drilling={drilling} withCode={withCode} />
            ))}
          </ul>
          {withCode && drill === null && (
            <Stack {...part}>
              <h2 className="h2">Code that passes these drills</h2>
              <Text component="p" variant="note">
                One function per language, without dependencies, tested with every drill. It doesn’t deduplicate:
                acknowledge a <Text variant="mono">message_id</Text> that was accepted before, and do nothing else.
              </Text>
              <Snippet />
            </Stack>
          )}
        </section>
      )}
    </Read>
  );
};
