import { IconGitBranch } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { isRefused } from "../../../sandbox/contract/control/exchange-kinds.ts";
import type { RequestDetail } from "../../../sandbox/contract/control/rows.ts";
import type { Scenario } from "../../../sandbox/contract/scenario.ts";
import { Button, IconButton } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Refused } from "../../components/failing.tsx";
import { TextField } from "../../components/fields.tsx";
import { Form, Submit } from "../../components/form.tsx";
import { hrefs } from "../../kernel/addresses/hrefs.ts";
import { currentLocation, useNavigateAfter } from "../../kernel/addresses/navigate-after.ts";
import { notify } from "../../kernel/notices/notices.tsx";
import { serviceKeys } from "../../kernel/queries/query-keys.ts";
import { worldsQuery } from "../../kernel/queries/world-queries.ts";
import type { ControlResponse } from "../../lib/control-query.ts";
import { plural } from "../../lib/formatting.ts";
import { laidOut } from "../../lib/json-text.ts";
import { callControl } from "../../lib/service-client.ts";
import { worldAccess } from "../../lib/world-access.ts";
import { namingWorld } from "../../lib/world-address.ts";
import { copyName, DEFAULT_WORLD, nameProblem } from "../../lib/world-name.ts";
import { decodeBody } from "../exchange/body.ts";
import type { ConsoleCall } from "../exchange/console-call.ts";
import { usePendingCall } from "../exchange/pending-call.ts";
import { LONG_WORK, useWorldsChanged } from "./mutations.ts";
import { Work, WorkInProgress } from "./work-under-way.tsx";

type Branched = ControlResponse<"worlds.branch">;

/** Source of a branch: a recorded call, or a scenario step that has no recorded call. */
export type BranchPoint = {
  readonly title: string;
  /** Base of the new world's name. */
  readonly name: string;
} & (
  | { readonly world: string; readonly id: string }
  | {
      readonly scenario: Scenario;
      readonly number: number;
      readonly policies: Readonly<Record<string, string>>;
    }
);

type StepPoint = Extract<BranchPoint, { number: number }>;

const defaultWorld = { world: DEFAULT_WORLD };

/** Runs a scenario up to a step in a new world, and saves that under another name. */
const runToStep = async (
  { scenario, number, policies }: StepPoint,
  to: string,
  onRun: (id: string | null) => void,
): Promise<void> => {
  // Sent without its name, so that the scenario's page keeps showing its newest run.
  const { id } = await callControl("runs.start", { ...defaultWorld, scenario, policies, mode: "by_hand" });
  onRun(id);
  try {
    const { next, results, problem, state } = await callControl("runs.step", { ...defaultWorld, id, to: number - 1 });
    onRun(null);
    if (state === "stopped") throw new Error("The run was cancelled. No world was created.");
    if (next?.number !== number)
      throw new Error(
        problem ??
          `Step ${results.find(({ outcome }) => outcome !== "held")?.number ?? 1} failed, so step ${number} wasn’t reached.`,
      );
    await callControl("worlds.copy", { world: next.world, to });
  } finally {
    await callControl("runs.stop", { ...defaultWorld, id });
  }
};

/** Progress of the run that leads to a step. */
const RunProgress = ({ id, number }: { id: string; number: number }) => {
  const run = useQuery({
    queryKey: [...serviceKeys.runs, id],
    queryFn: ({ signal }) => callControl("runs.get", { ...defaultWorld, id }, { signal }),
    refetchInterval: 500,
    gcTime: 0,
  });
  const stop = useMutation({
    mutationFn: () => callControl("runs.stop", { ...defaultWorld, id }),
    onError: (error) => notify.failed("Cancel", error),
  });
  const last = number - 1;
  const what = last > 1 ? `Running steps 1 to ${last}` : "Running step 1";
  return <Work what={what} progress={(run.data?.held ?? 0) / last} onCancel={() => stop.mutate()} />;
};

/** Returns the order or job of a call if it existed before. */
const findRecord = async (
  world: string,
  { job_id: job, procurement_id: order }: RequestDetail,
): Promise<string | null> => {
  if (order && (await callControl("procurements.list", { world, ids: [order], limit: 1 })).items.length > 0)
    return hrefs.procurement(order);
  if (job && (await callControl("jobs.list", { world, ids: [job], limit: 1 })).items.length > 0) return hrefs.job(job);
  return null;
};

/** A call for the Console, with its original key. */
const consoleCall = ({ operation, method, integration_id, request_body_base64 }: RequestDetail): ConsoleCall | null => {
  const { text } = decodeBody(request_body_base64);
  if (operation === null || method !== "POST" || text === undefined) return null;
  return {
    ...{ operation, headers: [], body: laidOut(text) },
    actAs: integration_id === null ? { kind: "none" } : { kind: "credential", integration_id },
  };
};

/** Limit on the listed notes: a notice is read at a glance. */
const MAX_NOTES = 3;

/** Describes differences from the original world; null when equal. */
const differenceText = ({ differing, first_difference: first, notes }: Branched): string | null => {
  const more = notes.length - MAX_NOTES;
  const facts = [
    differing > 0 && `${plural(differing, "result")} differed from the recording.`,
    first && `First difference: ${first.step} ${first.path}.`,
    first?.cause && `Cause: ${first.cause}.`,
    ...notes.slice(0, MAX_NOTES),
    more > 0 && `${plural(more, "more item")} couldn’t be replayed.`,
  ].filter((fact) => fact);
  return facts.length === 0 ? null : facts.join(" ");
};

const useBranch = (of: BranchPoint, onDone: () => void) => {
  const offer = usePendingCall((state) => state.offer);
  const changed = useWorldsChanged();
  const navigateAfter = useNavigateAfter();
  const [run, setRun] = useState<string | null>(null);
  /**
   * Returns the address to open: the call's record, or the Console with the call when it was refused or the record
   * doesn't exist yet.
   */
  const targetAddress = async (to: string, call: RequestDetail | null) => {
    // The branch exists already, so a failed read only loses the address.
    const thing = call && !isRefused(call) ? await findRecord(to, call).catch(() => null) : null;
    const again = call && thing === null ? consoleCall(call) : null;
    const href = thing ?? (again ? hrefs.console(again.operation) : "/requests");
    return { href: namingWorld(href, to), label: "Open world", world: to, onFollow: () => again && offer(again) };
  };
  const branch = useMutation({
    mutationKey: LONG_WORK,
    mutationFn: async (to: string) => {
      if (!("id" in of)) {
        await runToStep(of, to, setRun);
        return { branch: null, link: await targetAddress(to, null) };
      }
      const { world, id } = of;
      const call = await callControl("requests.get", { world, id });
      const branch = await callControl("worlds.branch", { world, request_id: id, to });
      return { branch, link: await targetAddress(to, call) };
    },
    onMutate: currentLocation,
    onSuccess: async ({ branch, link }, to, askedAt) => {
      await changed();
      onDone();
      const calls = branch ? ` ${plural(branch.replayed, "call")} replayed.` : "";
      const differs = branch && differenceText(branch);
      const detail = `As it was before “${of.title}”.${calls}${differs ? ` ${differs}` : ""}`;
      navigateAfter(askedAt, link, { title: `World ${to} created`, detail, stays: Boolean(differs) });
    },
    onSettled: changed,
  });
  return { ...branch, run };
};

const beforeText = (number: number): string => {
  if (number === 1) return "It is the first step, so the new world is as the run begins.";
  return number === 2 ? "Runs step 1 in a new world." : `Runs steps 1 to ${number - 1} in a new world.`;
};

const BranchForm = ({ of, onDone }: { of: BranchPoint; onDone: () => void }) => {
  const names = (useQuery(worldsQuery()).data ?? []).map(({ name }) => name);
  const [typed, setTyped] = useState<string>();
  const branch = useBranch(of, onDone);
  const name = (typed ?? copyName(of.name, names, "branch")).trim();
  const problem = branch.isPending ? null : nameProblem(name, names);
  return (
    <Form onSend={() => problem === null && branch.mutate(name)}>
      <p>
        Creates a world as {"id" in of ? <b>{of.world}</b> : "it"} was before “{of.title}”.{" "}
        {"id" in of
          ? "Starts from the nearest snapshot, or the seed, and replays the calls since. Nothing is sent to receivers."
          : beforeText(of.number)}
      </p>
      <TextField
        label="Name of the new world"
        value={typed ?? name}
        onChange={setTyped}
        mono
        autoFocus
        isSuggestion
        error={problem}
      />
      {branch.run !== null && "number" in of && <RunProgress id={branch.run} number={of.number} />}
      {branch.isPending && <WorkInProgress creating={branch.variables} />}
      <Refused error={branch.error} />
      <div className="acts-end">
        <Submit icon={IconGitBranch} busy={branch.isPending} disabled={problem !== null}>
          Create and open
        </Submit>
      </div>
    </Form>
  );
};

/** Creates a world from before a call or a step; hidden for a token of one world. */
export const BranchButton = ({ of, look }: { of: BranchPoint; look: "icon" | "words" }) => {
  const [opened, open] = useState(false);
  // Keeps the row of the open dialog, which may be replaced meanwhile.
  const [openedFor, setOpenedFor] = useState(of);
  if (worldAccess() !== null) return null;
  const onClick = () => {
    setOpenedFor(of);
    open(true);
  };
  const button = { small: true, icon: IconGitBranch, onClick } as const;
  return (
    <>
      {look === "icon" ? (
        <IconButton {...button} label="Branch from here" verb="Branch" />
      ) : (
        <Button {...button}>Branch from here</Button>
      )}
      <Dialog opened={opened} onClose={() => open(false)} title="Branch from here" size={600}>
        <BranchForm of={openedFor} onDone={() => open(false)} />
      </Dialog>
    </>
  );
};
