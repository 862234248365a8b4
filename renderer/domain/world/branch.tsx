import { List, Stack } from "@mantine/core";
import { IconGitBranch } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import type { RequestRow } from "../../../sandbox/contract/control/rows.ts";
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
import { LONG_WORK, useWorldsChanged } from "./mutations.ts";
import { WorkUnderWay } from "./work-under-way.tsx";

type Branched = Awaited<ReturnType<typeof callControl<"worlds.branch">>>;

/** Where a world branches from: a recorded call of it, or a step of a scenario whose run left no world. */
export type BranchPoint = { readonly title: string } & (
  | ({ readonly world: string } & Pick<RequestRow, "id"> & Partial<Pick<RequestRow, "job_id" | "procurement_id">>)
  | {
      readonly name: string;
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

/** What is in sight there, too: the order or the job of the call, where it was there before. */
const placeIn = async (world: string, of: Partial<Pick<RequestRow, "job_id" | "procurement_id">>): Promise<string> => {
  const { job_id: job, procurement_id: order } = of;
  if (order && (await callControl("procurements.list", { world, ids: [order], limit: 1 })).items.length > 0)
    return hrefs.procurement(order);
  if (job && (await callControl("jobs.list", { world, ids: [job], limit: 1 })).items.length > 0) return hrefs.job(job);
  return "/requests";
};

const otherwise = ({ differing, notes }: Branched): string =>
  [
    ...(differing > 0 ? [`${plural(differing, "result")} differed from the recording`] : []),
    ...(notes.length > 0 ? [`${plural(notes.length, "item")} couldn’t be replayed`] : []),
  ].join(", ");

const useBranch = (of: BranchPoint, onDone: () => void) => {
  const changed = useWorldsChanged();
  const goOn = useGoOn();
  const [, navigate] = useLocation();
  const open = async (to: string) => {
    const href = await placeIn(to, "id" in of ? of : {});
    return { href: namingWorld(href, to), label: "Open world", world: to };
  };
  const branch = useMutation({
    mutationKey: LONG_WORK,
    mutationFn: async (to: string): Promise<Branched | null> => {
      if ("id" in of) return callControl("worlds.branch", { world: of.world, request_id: of.id, to });
      await runUpTo(of, to);
      return null;
    },
    onMutate: placeNow,
    onSuccess: async (made, to, askedAt) => {
      await changed();
      const title = `World ${to} created`;
      // What came out otherwise is read first, in the dialog where that is open.
      if (made && (made.differing > 0 || made.notes.length > 0))
        return notify.tell({
          title,
          detail: `${otherwise(made)}.`,
          link: { href: "/", label: "Open world", world: to },
        });
      const link = await open(to);
      onDone();
      const calls = made ? ` ${plural(made.replayed, "call")} replayed.` : "";
      goOn(askedAt, link, { title, detail: `As it was before “${of.title}”.${calls}` });
    },
    onSettled: changed,
  });
  const goTo = async (to: string) => {
    navigate((await open(to)).href);
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

const BranchForm = ({ of, onDone }: { of: BranchPoint; onDone: () => void }) => {
  const names = (useQuery(worldsQuery()).data ?? []).map(({ name }) => name);
  const origin = "id" in of ? of.world : of.name;
  const [typed, setTyped] = useState<string>();
  const branch = useBranch(of, onDone);
  const name = (typed ?? copyName(origin, names, "branch")).trim();
  const problem = branch.isPending ? null : nameProblem(name, names);
  const made = branch.data;
  if (made)
    return (
      <Stack gap="md">
        <Otherwise made={made} />
        <div className="acts-end">
          <Button look="primary" onClick={() => void branch.goTo(made.name)}>
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
          : `Runs steps 1 to ${of.number - 1} in a new world.`}
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
      <WorkUnderWay />
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
  if (confinedTo() !== null) return null;
  const button = { small: true, icon: IconGitBranch, onClick: () => open(true) } as const;
  return (
    <>
      {look === "icon" ? (
        <IconButton {...button} label="Branch from here" />
      ) : (
        <Button {...button}>Branch from here</Button>
      )}
      <Dialog opened={opened} onClose={() => open(false)} title="Branch from here" size={600}>
        <BranchForm of={of} onDone={() => open(false)} />
      </Dialog>
    </>
  );
};
