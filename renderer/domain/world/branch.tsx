import { List, Stack } from "@mantine/core";
import { IconGitBranch } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { isRefused } from "../../../sandbox/contract/control/exchange-kinds.ts";
import type { RequestDetail } from "../../../sandbox/contract/control/rows.ts";
import type { Scenario } from "../../../sandbox/contract/scenario.ts";
import { placeNow, useGoOn } from "../../app/go-on.ts";
import { notify } from "../../app/notices.tsx";
import { hrefs } from "../../app/places.ts";
import { worldsQuery } from "../../app/world-queries.ts";
import { Button, IconButton } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Refused } from "../../components/failing.tsx";
import { TextField } from "../../components/fields.tsx";
import { Form } from "../../components/form.tsx";
import { KeyValue } from "../../components/key-value.tsx";
import { confinedTo } from "../../lib/confined.ts";
import { plural } from "../../lib/formatting.ts";
import { callControl } from "../../lib/service-client.ts";
import { namingWorld } from "../../lib/world-address.ts";
import { copyName, DEFAULT_WORLD, nameProblem } from "../../lib/world-name.ts";
import { bodyOf } from "../exchange/body.ts";
import type { ConsoleCall } from "../exchange/console-call.ts";
import { useOffered } from "../exchange/offered-call.ts";
import { LONG_WORK, useWorldsChanged } from "./mutations.ts";
import { WorkUnderWay } from "./work-under-way.tsx";

type Branched = Awaited<ReturnType<typeof callControl<"worlds.branch">>>;

/** Where a world branches from: a recorded call of it, or a step of a scenario that no recorded call stands for. */
export type BranchPoint = {
  readonly title: string;
  /** What the new world is named after. */
  readonly name: string;
} & (
  | { readonly world: string; readonly id: string }
  | {
      readonly scenario: Scenario;
      readonly number: number;
      readonly policies: Readonly<Record<string, string>>;
    }
);

/** Runs a scenario up to a step in a world of its own, and keeps that under another name. */
const runUpTo = async ({ scenario, number, policies }: Extract<BranchPoint, { number: number }>, to: string) => {
  const asked = { world: DEFAULT_WORLD };
  // Without its name: the scenario's newest run stays the one that is shown.
  const { id } = await callControl("runs.start", { ...asked, scenario, policies, mode: "by_hand" });
  try {
    const { next, results, problem } = await callControl("runs.step", { ...asked, id, to: number - 1 });
    if (next?.number !== number)
      throw new Error(
        problem ??
          `Step ${results.find(({ outcome }) => outcome !== "held")?.number ?? 1} failed, so step ${number} wasn’t reached.`,
      );
    await callControl("worlds.copy", { world: next.world, to });
  } finally {
    await callControl("runs.stop", { ...asked, id });
  }
};

/** The order or the job of a call, where it was there before. */
const thingIn = async (
  world: string,
  { job_id: job, procurement_id: order }: RequestDetail,
): Promise<string | null> => {
  if (order && (await callControl("procurements.list", { world, ids: [order], limit: 1 })).items.length > 0)
    return hrefs.procurement(order);
  if (job && (await callControl("jobs.list", { world, ids: [job], limit: 1 })).items.length > 0) return hrefs.job(job);
  return null;
};

/** A call as the Console has it, with the key it was made with. */
const consoleCall = ({ operation, method, integration_id, request_body_base64 }: RequestDetail): ConsoleCall | null => {
  const { text, json } = bodyOf(request_body_base64);
  if (operation === null || method !== "POST" || text === undefined) return null;
  return {
    ...{ operation, headers: [], body: json === undefined ? text : JSON.stringify(JSON.parse(text), null, 2) },
    actAs: integration_id === null ? { kind: "none" } : { kind: "credential", integration_id },
  };
};

const otherwise = ({ differing, notes }: Branched): string =>
  [
    ...(differing > 0 ? [`${plural(differing, "result")} differed from the recording`] : []),
    ...(notes.length > 0 ? [`${plural(notes.length, "item")} couldn’t be replayed`] : []),
  ].join(", ");

const firstWords = ({ first_difference: first }: Branched): string =>
  first ? ` First difference: ${first.step} ${first.path}.` : "";

const useBranch = (of: BranchPoint, onDone: () => void) => {
  const offer = useOffered((state) => state.offer);
  const changed = useWorldsChanged();
  const goOn = useGoOn();
  const [, navigate] = useLocation();
  /** What the call was about; where it was refused, or that isn't there before it, the Console with the call. */
  const placeOf = async (to: string, call: RequestDetail | null) => {
    // The world is made: that this can't be read doesn't change it.
    const thing = call && !isRefused(call) ? await thingIn(to, call).catch(() => null) : null;
    const again = call && thing === null ? consoleCall(call) : null;
    const href = thing ?? (again ? hrefs.console(again.operation) : "/requests");
    return { href: namingWorld(href, to), label: "Open world", world: to, onFollow: () => again && offer(again) };
  };
  const branch = useMutation({
    mutationKey: LONG_WORK,
    mutationFn: async (to: string) => {
      if (!("id" in of)) {
        await runUpTo(of, to);
        return { made: null, link: await placeOf(to, null) };
      }
      const { world, id } = of;
      const call = await callControl("requests.get", { world, id });
      const made = await callControl("worlds.branch", { world, request_id: id, to });
      return { made, link: await placeOf(to, call) };
    },
    onMutate: placeNow,
    onSuccess: async ({ made, link }, to, askedAt) => {
      await changed();
      const title = `World ${to} created`;
      // What came out otherwise is read first, in the dialog where that is open.
      if (made && (made.differing > 0 || made.notes.length > 0))
        return notify.tell({ title, detail: `${otherwise(made)}.${firstWords(made)}`, link });
      onDone();
      const calls = made ? ` ${plural(made.replayed, "call")} replayed.` : "";
      goOn(askedAt, link, { title, detail: `As it was before “${of.title}”.${calls}` });
    },
    onSettled: changed,
  });
  const goTo = ({ href, onFollow }: Awaited<ReturnType<typeof placeOf>>) => {
    onFollow();
    navigate(href);
    onDone();
  };
  return { ...branch, goTo };
};

/** That the new world is not quite what the other was: what came out otherwise first, and what could not be repeated. */
const Otherwise = ({ made }: { made: Branched }) => {
  const { name, replayed, first_difference: first, notes } = made;
  return (
    <Stack role="status">
      <p>
        World <b>{name}</b> was created with {plural(replayed, "replayed call")}. {otherwise(made)}.
      </p>
      {first && (
        <KeyValue
          rows={[
            ["First difference", `${first.step} ${first.path}`],
            ["Recorded", JSON.stringify(first.expected)],
            ["Current", JSON.stringify(first.got)],
            first.cause === null ? null : ["Cause", first.cause],
          ]}
        />
      )}
      {notes.length > 0 && (
        <List size="sm" c="var(--text-2)">
          {notes.map((note) => (
            <List.Item key={note}>{note}</List.Item>
          ))}
        </List>
      )}
    </Stack>
  );
};

const beforeWords = (number: number): string => {
  if (number === 1) return "It is the first step, so the new world is as the run begins.";
  return number === 2 ? "Runs step 1 in a new world." : `Runs steps 1 to ${number - 1} in a new world.`;
};

const BranchForm = ({ of, onDone }: { of: BranchPoint; onDone: () => void }) => {
  const names = (useQuery(worldsQuery()).data ?? []).map(({ name }) => name);
  const [typed, setTyped] = useState<string>();
  const branch = useBranch(of, onDone);
  const name = (typed ?? copyName(of.name, names, "branch")).trim();
  const problem = branch.isPending ? null : nameProblem(name, names);
  if (branch.data?.made)
    return (
      <Stack gap="md">
        <Otherwise made={branch.data.made} />
        <div className="acts-end">
          <Button look="primary" onClick={() => branch.goTo(branch.data.link)}>
            Open world
          </Button>
        </div>
      </Stack>
    );
  return (
    <Form onSend={() => problem === null && branch.mutate(name)}>
      <p>
        Creates a world as {"id" in of ? <b>{of.world}</b> : "it"} was before “{of.title}”.{" "}
        {"id" in of
          ? "Starts from the nearest snapshot, or the seed, and replays the calls since. Nothing is sent to receivers."
          : beforeWords(of.number)}
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
      {"id" in of && <WorkUnderWay branchOf={of.world} />}
      <Refused error={branch.error} />
      <div className="acts-end">
        <Button type="submit" look="primary" icon={IconGitBranch} busy={branch.isPending} disabled={problem !== null}>
          Create and open
        </Button>
      </div>
    </Form>
  );
};

/** The way to a new world as one was before a call or a step; none for a token of one world. */
export const BranchButton = ({ of, look }: { of: BranchPoint; look: "icon" | "words" }) => {
  const [opened, open] = useState(false);
  // What was asked about stays, whatever becomes of the row meanwhile.
  const [asked, ask] = useState(of);
  if (confinedTo() !== null) return null;
  const onClick = () => {
    ask(of);
    open(true);
  };
  const button = { small: true, icon: IconGitBranch, onClick } as const;
  return (
    <>
      {look === "icon" ? (
        <IconButton {...button} label="Branch from here" />
      ) : (
        <Button {...button}>Branch from here</Button>
      )}
      <Dialog opened={opened} onClose={() => open(false)} title="Branch from here" size={600}>
        <BranchForm of={asked} onDone={() => open(false)} />
      </Dialog>
    </>
  );
};
