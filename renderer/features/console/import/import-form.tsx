import { Stack } from "@mantine/core";
import { IconFileUpload, IconTerminal } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type DragEvent, useMemo, useState } from "react";
import { useLocation } from "wouter";
import type { Credential } from "../../../../sandbox/contract/control/rows.ts";
import { useCredentials } from "../../../app/acting.ts";
import { notify } from "../../../app/notices.tsx";
import { hrefs } from "../../../app/places.ts";
import { useWorld } from "../../../app/world.ts";
import { Button } from "../../../components/button.tsx";
import { DialogFoot } from "../../../components/dialog.tsx";
import { OperationName } from "../../../components/operation.tsx";
import { Read } from "../../../components/read.tsx";
import { SelectField } from "../../../components/select-field.tsx";
import { sideWord } from "../../../components/side.tsx";
import { TextAreaField } from "../../../components/text-area-field.tsx";
import type { ActsAs } from "../../../domain/exchange/console-call.ts";
import { type Declared, declarationsQuery } from "../../../domain/exchange/declarations.ts";
import { type Recognised, recognised } from "../../../domain/exchange/import/for-console.ts";
import type { Imported, ImportedCall, LeftOut } from "../../../domain/exchange/import/imported.ts";
import { MOST_IMPORTED, readCalls, TOO_LARGE } from "../../../domain/exchange/import/read-calls.ts";
import { useOffered } from "../../../domain/exchange/offered-call.ts";
import { openFile } from "../../../lib/files.ts";
import { formatCount, plural } from "../../../lib/formatting.ts";
import styles from "./import.module.css";

const KINDS = [{ name: "cURL, HAR", extensions: ["har", "sh", "txt", "json", "curl"] }];
/** A longer text is not drawn, only read. */
const MOST_SHOWN = 100_000;
/** So many calls of a file can be chosen from. */
const MOST_LISTED = 200;

interface Source {
  readonly text: string;
  /** Null: it was pasted. */
  readonly file: string | null;
}
const nothing: Source = { text: "", file: null };

const reachable = ({ id, method, path, scope, parameters }: Declared) => ({
  ...{ id, method, path },
  takesToken: scope === "control",
  parameters: parameters.filter((one) => one.in !== "header").map(({ name }) => name),
});

const NOBODY = "none";

/** Where a text comes from: pasted, chosen or dropped. */
const SourceField = ({ source, onChange }: { source: Source; onChange: (source: Source) => void }) => {
  const take = (name: string, bytes: Uint8Array) => {
    if (bytes.length > MOST_IMPORTED) notify.failed(`Import ${name}`, new Error(TOO_LARGE));
    else onChange({ text: new TextDecoder().decode(bytes), file: name });
  };
  const choose = async () => {
    try {
      const file = await openFile(KINDS);
      if (file) take(file.name, file.bytes);
    } catch (error) {
      notify.failed("Open the file", error);
    }
  };
  const drop = async (event: DragEvent) => {
    event.preventDefault();
    const [file] = event.dataTransfer.files;
    if (!file) return;
    if (file.size > MOST_IMPORTED) notify.failed(`Import ${file.name}`, new Error(TOO_LARGE));
    else take(file.name, new Uint8Array(await file.arrayBuffer()));
  };
  const isShown = source.file === null && source.text.length <= MOST_SHOWN;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what can be dropped can be chosen with the button, too
    <div className={styles.source} onDragOver={(event) => event.preventDefault()} onDrop={(event) => void drop(event)}>
      {isShown ? (
        <TextAreaField
          label="A cURL command or a HAR"
          hint="Paste it, or drop a file here (10 MiB). It is read in this window and never executed."
          placeholder="curl http://127.0.0.1:4810/api/2026-01/repairer.jobs.get -d '{…}'"
          autoFocus
          mono
          rows={6}
          value={source.text}
          onChange={(text) => onChange({ text, file: null })}
        />
      ) : (
        <p className={styles.file}>
          <b className="w5">{source.file ?? "What was pasted"}</b>
          <span className="t12 t3">{plural(source.text.length, "character")}</span>
          <Button small look="quiet" onClick={() => onChange(nothing)}>
            Take another
          </Button>
        </p>
      )}
      <Button small icon={IconFileUpload} onClick={() => void choose()}>
        Choose a file
      </Button>
    </div>
  );
};

const callName = ({ name, method, url }: ImportedCall): string =>
  [`${method} ${url}`, name].filter(Boolean).join(" · ");

/** The calls of a file, one of which is taken. */
const Choice = ({
  calls,
  chosen,
  onChoose,
}: {
  calls: readonly ImportedCall[];
  chosen: number;
  onChoose: (index: number) => void;
}) => (
  <fieldset className={styles.choice}>
    <legend>
      {plural(calls.length, "call")}
      {calls.length > MOST_LISTED && `, of which the first ${formatCount(MOST_LISTED)} can be chosen`}
    </legend>
    <div className={styles.calls}>
      {calls.slice(0, MOST_LISTED).map((call, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: calls are told apart by where they stand
        <label key={index}>
          <input type="radio" name="call" checked={index === chosen} onChange={() => onChoose(index)} />
          <span className="el mono" title={callName(call)}>
            {callName(call)}
          </span>
        </label>
      ))}
    </div>
  </fieldset>
);

const NotUnderstood = ({ of }: { of: readonly LeftOut[] }) => (
  <section aria-label="Not imported">
    <h3 className={styles.title}>Not imported {of.length > 0 && <span className="t3">{of.length}</span>}</h3>
    {of.length === 0 ? (
      <p className="t12 t2">Everything was imported.</p>
    ) : (
      <dl className={styles.facts}>
        {of.map(({ what, why }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same may stand there twice
          <div key={index}>
            <dt>{what}</dt>
            <dd>{why}</dd>
          </div>
        ))}
      </dl>
    )}
  </section>
);

const Understood = ({ of }: { of: Recognised["understood"] }) => (
  <section aria-label="Understood">
    <h3 className={styles.title}>Understood</h3>
    <dl className={styles.facts}>
      {of.map(([what, became], index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same header may stand there twice
        <div key={index}>
          <dt>{what}</dt>
          <dd>{became}</dd>
        </div>
      ))}
    </dl>
  </section>
);

const Operation = ({
  of,
  all,
  meant,
  onMean,
}: {
  of: Recognised;
  all: readonly Declared[];
  /** Chosen of those that were nearest. */
  meant: Declared | undefined;
  onMean: (id: string) => void;
}) => {
  const declared = meant ?? all.find(({ id }) => id === of.operation?.id);
  if (declared)
    return (
      <p className={styles.operation}>
        <b className="w6">{declared.title}</b>
        {declared.title !== declared.id && <OperationName name={declared.id} />}
      </p>
    );
  return (
    <div className={styles.operation}>
      <b className="w6">No operation has this path.</b>
      {of.nearest.length > 0 && <span className="t12 t2">Did you mean</span>}
      {of.nearest.map(({ id }) => (
        <Button key={id} small onClick={() => onMean(id)}>
          {id}
        </Button>
      ))}
    </div>
  );
};

const Taken = ({
  call,
  leftOut,
  all,
  credentials,
  onDone,
}: {
  call: ImportedCall;
  leftOut: readonly LeftOut[];
  all: readonly Declared[];
  credentials: readonly Credential[];
  onDone: () => void;
}) => {
  const here = useWorld();
  const [, navigate] = useLocation();
  const offer = useOffered((state) => state.offer);
  const [meantId, setMeant] = useState<string | null>(null);
  const operations = useMemo(() => all.map(reachable), [all]);
  const read = useMemo(
    () => recognised(call, { operations, keys: credentials, here, origin: window.location.origin }),
    [call, operations, credentials, here],
  );
  const named = read.actor.kind === "unknown" ? read.actor.named : null;
  const namedOne = credentials.find((one) => one.integration_id === named && one.api_key !== undefined);
  const [selected, setChosen] = useState<string | null>(null);
  const chosen = selected ?? namedOne?.integration_id ?? null;
  const meant = all.find(({ id }) => id === meantId);
  const operation = meant?.id ?? read.operation?.id ?? null;
  const takesToken = all.find(({ id }) => id === operation)?.scope === "control";
  const mustChoose = read.actor.kind === "unknown" && !takesToken;
  const actAs = ((): ActsAs | null => {
    if (read.actor.kind !== "unknown") return read.actor;
    if (takesToken || chosen === NOBODY) return { kind: "none" };
    return chosen === null ? null : { kind: "credential", integration_id: chosen };
  })();
  const open = () => {
    if (operation === null || actAs === null) return;
    const { body, headers, parameters, tenant } = read;
    offer({ operation, body, headers, parameters, actAs, ...(tenant === null ? {} : { tenant }) });
    onDone();
    navigate(hrefs.console(operation));
  };
  return (
    <>
      <Operation of={read} all={all} meant={meant} onMean={setMeant} />
      {mustChoose && (
        <SelectField
          label="Send as"
          hint={
            namedOne
              ? `It names the integration of ${namedOne.organization_name} with a wrong key. The correct key is sent instead.`
              : "Its key isn’t from this world and isn’t stored."
          }
          placeholder="Choose whom to act as"
          value={chosen}
          options={[
            { value: NOBODY, label: "no key" },
            ...credentials
              .filter(({ api_key }) => api_key !== undefined)
              .map((one) => ({
                value: one.integration_id,
                label: `${one.organization_name}, ${sideWord(one.scope).toLowerCase()}, ${one.key_hint}`,
              })),
          ]}
          onChange={setChosen}
        />
      )}
      <div className={styles.lists}>
        <Understood of={read.understood} />
        <NotUnderstood of={[...read.leftOut, ...leftOut]} />
      </div>
      <DialogFoot>
        <span className="t12 t2" role="status">
          {operation === null
            ? "Choose a call of an operation."
            : mustChoose && chosen === null && "Choose whom to act as."}
        </span>
        <Button look="primary" icon={IconTerminal} disabled={operation === null || actAs === null} onClick={open}>
          Open in Console
        </Button>
      </DialogFoot>
    </>
  );
};

const Found = ({ imported, onDone }: { imported: Imported; onDone: () => void }) => {
  const [chosen, setChosen] = useState(0);
  const declarations = useQuery(declarationsQuery());
  const credentials = useCredentials();
  const call = imported.calls[chosen];
  return (
    <>
      {imported.calls.length > 1 && <Choice calls={imported.calls} chosen={chosen} onChoose={setChosen} />}
      <Read of={declarations} what="the operations" rows={3}>
        {(all) => (
          <Read of={credentials} what="the credentials" rows={3}>
            {(known) =>
              call && (
                <Taken
                  key={chosen}
                  call={call}
                  leftOut={imported.leftOut}
                  all={all}
                  credentials={known}
                  onDone={onDone}
                />
              )
            }
          </Read>
        )}
      </Read>
    </>
  );
};

/** Takes a call out of what other programs write, says what of it was understood, and opens it in the Console. */
export const ImportForm = ({ onDone }: { onDone: () => void }) => {
  const [source, setSource] = useState(nothing);
  const imported = useMemo(() => (source.text === "" ? null : readCalls(source.text)), [source]);
  return (
    <Stack gap="md">
      <SourceField source={source} onChange={setSource} />
      {imported !== null && "problem" in imported && (
        <p className={styles.problem} role="alert">
          {imported.problem}
        </p>
      )}
      {imported !== null && !("problem" in imported) && (
        <>
          <p className="t12 t2" role="status">
            Read as {imported.format}: {plural(imported.calls.length, "call")}.
          </p>
          <Found key={source.text} imported={imported} onDone={onDone} />
        </>
      )}
    </Stack>
  );
};
