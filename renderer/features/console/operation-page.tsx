import { Box, Group, Stack, Text } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck, IconSend, IconTerminal, IconWorld } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo, useRef, useState } from "react";
import type { Credential } from "../../../sandbox/contract/control/rows.ts";
import { Button } from "../../components/button.tsx";
import { Dialog, DialogFoot } from "../../components/dialog.tsx";
import { Icon } from "../../components/icon.tsx";
import { Missing, Read } from "../../components/read.tsx";
import { useSendKey } from "../../components/use-keys.ts";
import { Origin } from "../../domain/decision/origin.tsx";
import { type ConsoleCall, holdsSecret, readCall } from "../../domain/exchange/console-call.ts";
import { type Declared, declarationsQuery } from "../../domain/exchange/declarations.ts";
import { headerLines, headerProblem } from "../../domain/exchange/header-lines.ts";
import { OperationName } from "../../domain/exchange/operation.tsx";
import { useConsumePendingCall } from "../../domain/exchange/pending-call.ts";
import { useCredentials } from "../../kernel/credentials/acting.ts";
import { usePageTitle } from "../../kernel/place/titles.ts";
import { worldKeys } from "../../kernel/queries/query-keys.ts";
import { chosenCredential, useUi } from "../../kernel/stores/ui-store.ts";
import { useWorld } from "../../kernel/world/world.ts";
import { announce } from "../../lib/announce.ts";
import { useDraft } from "../../lib/draft.ts";
import { focusHeading } from "../../lib/focus.ts";
import { formatMs, plural } from "../../lib/formatting.ts";
import { originHeaders, sendRaw } from "../../lib/service-client.ts";
import { ServiceUnreachable } from "../../lib/service-failure.ts";
import { controlToken } from "../../lib/session.ts";
import { ActAsBar } from "./act-as-bar.tsx";
import { FormPane, JsonPane, noFindings } from "./body-panes.tsx";
import { needsConfirmation, targetWorld, withWorld } from "./call-world.ts";
import { CodeTabs } from "./code-tabs.tsx";
import styles from "./console.module.css";
import { ErrorsSection } from "./errors-section.tsx";
import { actorProblem, defaultActor, maskedRequest, outgoing, outgoingCredential, scopeSide } from "./outgoing.ts";
import { hasErrorsListed, refetchProvocations } from "./provocations.ts";
import { type RequestCheck, useRequestCheck } from "./request-check.ts";
import { ResponsePane } from "./response-pane.tsx";
import { ScopeGlyph } from "./scope-glyph.tsx";
import { useLastSent, useSent } from "./sent-store.ts";

interface ConfirmSendProps {
  readonly declared: Declared;
  /** The world that the call acts on. */
  readonly world: string;
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onSend: () => void;
}

/** Confirmation before a destructive call. */
const ConfirmSend = ({ declared, world, opened, onClose, onSend }: ConfirmSendProps) => (
  <Dialog opened={opened} onClose={onClose} title={`Send ${declared.id} to ${world}?`} size={480}>
    <Stack gap="xs" pb="md">
      <p>{declared.summary}</p>
      <Text component="p" c="secondary">
        Acts on world <b>{world}</b>.
      </Text>
    </Stack>
    <DialogFoot>
      <Button data-autofocus onClick={onClose}>
        Cancel
      </Button>
      <Button look="danger" icon={IconSend} onClick={onSend}>
        Send call
      </Button>
    </DialogFoot>
  </Dialog>
);

/** Routes outside the operations validate their own input. */
const isChecked = ({ group, method }: Declared): boolean => group !== "route" && method === "POST";

const Head = ({ declared }: { declared: Declared }) => {
  const { id, title, summary, scope, origin } = declared;
  return (
    <Group component="header" className="hb" wrap="wrap" gap="2px 8px" p="8px 16px">
      <ScopeGlyph scope={scope} />
      <Text ref={focusHeading} tabIndex={-1} component="h2" truncate>
        {title}
      </Text>
      {title !== id && (
        <Text c="dimmed" miw={0}>
          <OperationName name={id} />
        </Text>
      )}
      <Origin of={origin} />
      {declared.decisions.length > 0 && (
        <Text component="details" size="sm">
          <summary>{plural(declared.decisions.length, "assumption")}</summary>
          {declared.decisions.map(({ id }) => (
            <Origin key={id} of="assumption" id={id} />
          ))}
        </Text>
      )}
      <Box component="span" flex={1} />
      <Text
        component="a"
        size="sm"
        textWrap="nowrap"
        className="lnk"
        href={declared.group === "control" ? "/__sandbox/openapi.json" : "/openapi.json"}
        target="_blank"
        rel="noreferrer"
      >
        OpenAPI
      </Text>
      <Text component="p" c="secondary" w="100%">
        {summary}
      </Text>
    </Group>
  );
};

/** The service's prediction of the response: mark, label and reason. */
const forecastResponse = (
  check: RequestCheck | null,
  problem: ReturnType<typeof actorProblem>,
  header: string | null,
): readonly ["ok" | "wait" | "bad", word: string, why: string] | null => {
  if (header !== null) return ["bad", "Can’t be sent", header];
  if (problem !== null) return ["wait", `Will fail with ${problem.status}`, problem.words];
  if (check === null) return null;
  const { findings, ignored, refusal } = check;
  if (refusal !== null) {
    const isWhole = findings.length === 1 && findings[0]?.pointer === "";
    const why = `This call will be refused with ${refusal.status}. Send it anyway to see the error.`;
    return ["bad", isWhole ? "Invalid body" : plural(findings.length, "invalid field"), why];
  }
  if (ignored.length > 0) return ["wait", `${plural(ignored.length, "field")} ignored`, ignored[0]?.message ?? ""];
  return ["ok", "All fields valid", ""];
};

const Forecast = ({ of }: { of: ReturnType<typeof forecastResponse> }) => {
  if (of === null) return <Box component="span" flex={1} />;
  const [tone, word, why] = of;
  return (
    <Group component="span" wrap="wrap" gap="0 8px" flex="1 1 180px" miw={0}>
      <span className={`st ${tone}`}>
        <Icon of={tone === "ok" ? IconCircleCheck : IconAlertTriangle} />
        {word}
      </span>
      <Text variant="note">{why}</Text>
    </Group>
  );
};

/** Returns whether two calls are equal for the service. */
const isSame = (one: ConsoleCall, other: ConsoleCall): boolean =>
  JSON.stringify(readCall(one.operation, one)) === JSON.stringify(readCall(other.operation, other));

const firstCall = (
  declared: Declared,
  credentials: readonly Credential[],
  chosen: string | undefined,
  world: string,
): ConsoleCall => {
  const [first] = declared.examples;
  const parameters = declared.parameters.map(({ name, required, example }) => [
    name,
    required ? String(example ?? "") : "",
  ]);
  return {
    operation: declared.id,
    body: !declared.takesJson ? "" : withWorld(declared, JSON.stringify(first?.[1] ?? {}, null, 2), world),
    actAs: defaultActor(declared, credentials, chosen),
    parameters: Object.fromEntries(parameters),
    headers: [],
  };
};

const useSend = (declared: Declared, credentials: readonly Credential[]) => {
  const world = useWorld();
  const client = useQueryClient();
  const put = useSent((state) => state.put);
  return useMutation({
    mutationFn: async (call: ConsoleCall) => {
      const at = new Date().toISOString();
      const credential = outgoingCredential(call.actAs, declared, credentials);
      const raw = outgoing({ declared, call, world, credential, controlToken: controlToken() });
      try {
        // Control calls aren't recorded, so they need no proof of origin.
        const proof = declared.scope === "control" ? {} : originHeaders();
        const response = await sendRaw({ ...raw, headers: { ...raw.headers, ...proof } });
        put(world, { call, at, response, failure: null });
        announce(`Returned ${response.status} in ${formatMs(response.durationMs)}`);
      } catch (error) {
        if (!(error instanceof ServiceUnreachable)) throw error;
        put(world, { call, at, response: null, failure: error });
      }
    },
    // The response doesn't say which data a control operation made stale.
    onSuccess: (_, call) =>
      declared.scope === "control"
        ? client.invalidateQueries({ queryKey: worldKeys(targetWorld(declared, call, world)).all })
        : void refetchProvocations(client, world),
  });
};

const Operation = ({ declared, credentials }: { declared: Declared; credentials: readonly Credential[] }) => {
  const world = useWorld();
  const box = useRef<HTMLDivElement>(null);
  const responseBox = useRef<HTMLDivElement>(null);
  const chosen = useUi((state) => chosenCredential(state, world, scopeSide(declared.scope)));
  const [begun] = useState(() => firstCall(declared, credentials, chosen, world));
  const named = useCallback(
    (one: ConsoleCall): ConsoleCall => ({ ...one, body: withWorld(declared, one.body, world) }),
    [declared, world],
  );
  const { draft: call, change } = useDraft<ConsoleCall>(
    { name: `console ${world} ${declared.id}` },
    {
      initial: () => begun,
      read: (stored) => {
        const storedCall = readCall(declared.id, stored);
        return storedCall && named(storedCall);
      },
      isWorth: (now) => !isSame(now, begun) && !holdsSecret(now),
    },
  );
  const set = (some: Partial<ConsoleCall>) => change((before) => ({ ...before, ...some }));
  const [pointer, setPointer] = useState<string | null>(null);
  const { check } = useRequestCheck(isChecked(declared) ? declared.id : null, call.body);
  const send = useSend(declared, credentials);
  const sent = useLastSent(world, declared.id);
  const [headers, setHeaders] = useState(() => headerLines(call.headers));
  const header = headerProblem(headers);
  const [mine, setMine] = useState<ConsoleCall | null>(null);
  const problem = actorProblem(call.actAs, declared, outgoingCredential(call.actAs, declared, credentials));
  const submit = (outgoing: ConsoleCall) => {
    if (send.isPending) return;
    // In a narrow window, the response is below the request.
    send.mutate(outgoing, { onSettled: () => responseBox.current?.scrollIntoView({ block: "start" }) });
  };
  const [replaced, setReplaced] = useState(0);
  const replace = useCallback(
    (by: ConsoleCall) => {
      change(() => named(by));
      setHeaders(headerLines(by.headers));
      setReplaced((count) => count + 1);
    },
    [change, named],
  );
  useConsumePendingCall(declared.id, replace);
  const [isAsking, setAsking] = useState(false);
  const sendNow = () => {
    setAsking(false);
    setMine(null);
    submit(call);
  };
  const sendOwn = () => {
    if (header !== null) return;
    if (needsConfirmation(declared)) setAsking(true);
    else sendNow();
  };
  const acted = targetWorld(declared, call, world);
  useSendKey(box, "Console", { label: "Send the call", alone: true, run: sendOwn });
  const shared = {
    findings: check?.findings ?? noFindings,
    ignored: check?.ignored ?? noFindings,
    pointer,
    onPointer: setPointer,
    onChange: set,
  };
  const code = useMemo(
    () =>
      maskedRequest({
        declared,
        call,
        world,
        credential: outgoingCredential(call.actAs, declared, credentials),
        controlToken: null,
      }),
    [declared, call, world, credentials],
  );
  return (
    <Stack component="article" gap={0} className={styles.page} aria-label={declared.title} ref={box}>
      <div className={styles.columns}>
        <Head declared={declared} />
        <Stack gap={0} className={styles.middle}>
          <ActAsBar
            key={replaced}
            {...{ declared, call, credentials, headers }}
            onHeaders={setHeaders}
            onChange={set}
          />
          <div className={styles.panes} data-body={declared.takesJson || undefined}>
            <FormPane declared={declared} call={call} {...shared} />
            <Stack gap={0} miw={0} mih={0}>
              {declared.takesJson && <JsonPane declared={declared} call={call} {...shared} />}
              <CodeTabs call={code} />
            </Stack>
          </div>
          <Group wrap="wrap" gap="4px 8px" justify="flex-end" p="8px 16px" className={styles.send}>
            <Forecast of={forecastResponse(check, problem, header)} />
            {acted !== world && (
              <span className="st wait">
                <Icon of={IconWorld} />
                Acts on {acted}
              </span>
            )}
            {mine !== null && (
              <Button
                title="Restores the call from before you reproduced an error"
                onClick={() => {
                  replace(mine);
                  setMine(null);
                }}
              >
                Restore my call
              </Button>
            )}
            <Button
              look="primary"
              icon={IconSend}
              keys="mod+enter"
              busy={send.isPending}
              disabled={header !== null}
              onClick={sendOwn}
            >
              Send
            </Button>
          </Group>
          <ConfirmSend
            declared={declared}
            world={acted}
            opened={isAsking}
            onClose={() => setAsking(false)}
            onSend={sendNow}
          />
        </Stack>
        <Box component="aside" className="scroll" pos="relative" miw={0} aria-label="Response and more">
          <div ref={responseBox}>
            <ResponsePane declared={declared} sent={sent} isEdited={sent !== null && !isSame(sent.call, call)} />
          </div>
          {hasErrorsListed(declared) && (
            <ErrorsSection
              operation={declared.id}
              onSend={(provocation) => {
                setMine((before) => before ?? call);
                replace(provocation);
                submit(provocation);
              }}
            />
          )}
        </Box>
      </div>
    </Stack>
  );
};

export const OperationPage = ({ id }: { id: string }) => {
  const declarations = useQuery(declarationsQuery());
  const credentials = useCredentials();
  const declared = declarations.data?.find((one) => one.id === id);
  usePageTitle(declared?.title, "Console");
  return (
    <Read of={declarations} what="the operations" rows={6}>
      {() =>
        declared === undefined ? (
          <Missing
            icon={IconTerminal}
            title="No operation has this name"
            why="The link may be from another version, or mistyped."
            href="/console"
            all="All operations"
          />
        ) : (
          <Read of={credentials} what="the credentials" rows={6}>
            {(known) => <Operation declared={declared} credentials={known} />}
          </Read>
        )
      }
    </Read>
  );
};
