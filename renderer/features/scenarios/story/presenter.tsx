import { EmptyState, Stack } from "@mantine/core";
import { IconFileExport, IconHandClick, IconRotateClockwise } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useLocation } from "wouter";
import type { Run } from "../../../../sandbox/contract/control/scenario-operations.ts";
import { Button } from "../../../components/button.tsx";
import { Dialog } from "../../../components/dialog.tsx";
import { Refused } from "../../../components/failing.tsx";
import { Player } from "../../../domain/story/player.tsx";
import { useDeleteWorld } from "../../../domain/world/mutations.ts";
import { hrefs } from "../../../kernel/addresses/hrefs.ts";
import { notify } from "../../../kernel/notices/notices.tsx";
import { serviceKeys } from "../../../kernel/queries/query-keys.ts";
import { worldsQuery } from "../../../kernel/queries/world-queries.ts";
import { saveFile } from "../../../lib/files.ts";
import { callControl } from "../../../lib/service-client.ts";
import { isNotFound } from "../../../lib/service-failure.ts";
import { namingWorld } from "../../../lib/world-address.ts";
import { DEFAULT_WORLD } from "../../../lib/world-name.ts";
import { isOver } from "../run-words.ts";

const here = { world: DEFAULT_WORLD };

/**
 * Returns the run that this entry of the history began, to continue it or show its end. Null when neither is possible:
 * the story was left, its world deleted or the service restarted. Undefined when the entry began none.
 */
const begunRun = async (name: string): Promise<Run | null | undefined> => {
  const { story: id } = (window.history.state ?? {}) as { readonly story?: string };
  if (id === undefined) return undefined;
  const run = await callControl("runs.get", { ...here, id }).catch((error: unknown) => {
    if (isNotFound(error)) return null;
    throw error;
  });
  if (run && run.name !== name) return undefined;
  return run && run.state !== "stopped" && (!isOver(run) || run.worlds.length > 0) ? run : null;
};

/** A step-by-step run that the player controls. */
const useStory = (name: string) => {
  const client = useQueryClient();
  const [run, setRun] = useState<Run | null>(null);
  const settled = () => client.invalidateQueries({ queryKey: serviceKeys.runs });
  const start = useMutation({
    mutationFn: async ({ again }: { again: boolean }) => {
      const begun = again ? undefined : await begunRun(name);
      return begun === undefined ? callControl("runs.start", { ...here, name, mode: "by_hand" }) : begun;
    },
    onSuccess: (started) => {
      if (started === null) return;
      window.history.replaceState({ ...window.history.state, story: started.id }, "");
      setRun(started);
    },
    onSettled: settled,
  });
  const step = useMutation({
    mutationFn: ({ id, to }: { id: string; to: number }) => callControl("runs.step", { ...here, id, to }),
    onSuccess: setRun,
    onSettled: settled,
  });
  const begin = useEffectEvent(() => start.mutate({ again: false }));
  const begun = useRef(false);
  useEffect(() => {
    if (begun.current) return;
    begun.current = true;
    // Notices would cover the map.
    notify.clear();
    begin();
  }, []);
  /** Returns whether the story's world exists: somebody may have deleted it. */
  const hasWorld = async (): Promise<boolean> => {
    const listed = await client.fetchQuery({ ...worldsQuery(), staleTime: 0 }).catch(() => null);
    return listed === null || listed.some(({ name: one }) => one === run?.world);
  };
  const end = async (keep: boolean): Promise<Run | null> => {
    if (!run) return null;
    const ended = await callControl("runs.stop", { ...here, id: run.id, keep }).catch((error: unknown) => {
      notify.failed("End the story", error);
      return null;
    });
    await Promise.all([settled(), client.invalidateQueries({ queryKey: serviceKeys.worlds })]);
    return ended;
  };
  return { run, start, step, hasWorld, end };
};

const Leaving = ({ onLeave, onStay }: { onLeave: (keep: boolean) => void; onStay: () => void }) => (
  <Stack gap="md">
    <p>The story ran in a world of its own. Keep it to look at its orders, calls and webhooks.</p>
    <div className="acts-end">
      <Button onClick={onStay}>Continue the story</Button>
      <Button look="danger" onClick={() => onLeave(false)}>
        Delete the world
      </Button>
      <Button data-autofocus look="primary" onClick={() => onLeave(true)}>
        Keep the world
      </Button>
    </div>
  </Stack>
);

/** A scenario's story over the whole window: real calls in a fresh world, one step at a time. */
export const Presenter = ({ name, title }: { name: string; title: string }) => {
  const [, navigate] = useLocation();
  const { run, start, step, hasWorld, end } = useStory(name);
  const [isLeaving, leave] = useState(false);
  const [round, playAgain] = useState(0);
  const world = run?.world ?? DEFAULT_WORLD;
  const hasEnded = start.data === null;
  const left = useRef(false);
  const close = (keep: boolean, to: string) => {
    left.current = true;
    void end(keep);
    navigate(to);
  };
  const exit = async () => {
    if (run && (await hasWorld())) leave(true);
    else close(false, hrefs.scenario(name));
  };
  const remove = useDeleteWorld();
  // Back has already left the story, so the world is kept, and a notice offers to delete it.
  const goneBack = useEffectEvent(async () => {
    if (left.current) return;
    const ended = await end(true);
    // The first step creates the world.
    if (!ended || ended.results.length === 0 || !(await hasWorld())) return;
    notify.tell({
      title: "The story’s world is kept",
      detail: `Its name is ${world}.`,
      link: { href: hrefs.home, label: "Open it", world },
      offer: { label: "Delete the world", act: () => remove.mutateAsync(world) },
    });
  });
  useEffect(() => () => void goneBack(), []);
  const share = useMutation({
    mutationFn: async (id: string) => {
      const { file_name, html } = await callControl("runs.story", { ...here, id });
      return saveFile({ name: file_name, content: html, mediaType: "text/html" });
    },
    onSuccess: (saved) => saved !== null && notify.done({ title: `Saved ${saved}` }),
    onError: (error) => notify.failed("Save the story", error),
  });
  const failure = step.error?.message ?? (run && run.state === "failed" ? run.problem : null);
  return (
    <>
      <Dialog
        opened
        isInAddress
        fullScreen
        withCloseButton={false}
        closeOnEscape={hasEnded}
        padding={0}
        styles={{ content: { borderRadius: 0, boxShadow: "none" }, body: { padding: 0 } }}
        onClose={() => void exit()}
        attributes={{ content: { "aria-label": `Story: ${title}` } }}
        transitionProps={{ duration: 0 }}
      >
        {run?.story ? (
          <Player
            key={round}
            story={run.story}
            startAt={round > 0 ? 0 : isOver(run) ? run.story.said.length : run.story.scenes.length - 1}
            onPlay={(to) => step.mutate({ id: run.id, to })}
            isBusy={step.isPending}
            failure={failure}
            traceHref={(trace) => namingWorld(hrefs.request(trace), world)}
            where="Runs in its own world. Yours doesn’t change."
            isCovered={isLeaving}
            onExit={() => void exit()}
            ways={
              <>
                <button type="button" data-first onClick={() => close(true, namingWorld(hrefs.home, world))}>
                  <IconHandClick aria-hidden="true" />
                  <b>Try it yourself</b>
                  <span>Continue in this world, with everything the story left in it</span>
                </button>
                <button type="button" disabled={share.isPending} onClick={() => share.mutate(run.id)}>
                  <IconFileExport aria-hidden="true" />
                  <b>Share as one HTML file</b>
                  <span>Plays anywhere without a network. Secrets are masked.</span>
                </button>
                <button type="button" onClick={() => playAgain(round + 1)}>
                  <IconRotateClockwise aria-hidden="true" />
                  <b>Watch again</b>
                  <span>From the first step. Nothing is called again.</span>
                </button>
              </>
            }
          />
        ) : (
          <EmptyState
            title={<h1>{title}</h1>}
            description={
              hasEnded ? "This story has ended." : start.error ? undefined : "Preparing a world for the story …"
            }
          >
            <Refused error={start.error} />
            {run && <p>None of its steps has a sentence to say.</p>}
            {hasEnded && (
              <Button look="primary" onClick={() => start.mutate({ again: true })}>
                Play it again
              </Button>
            )}
            <Button onClick={() => navigate(hrefs.scenario(name))}>Back to the scenario</Button>
          </EmptyState>
        )}
      </Dialog>
      <Dialog opened={isLeaving} onClose={() => leave(false)} title="Keep the story’s world?" size={520}>
        <Leaving onStay={() => leave(false)} onLeave={(keep) => close(keep, hrefs.scenario(name))} />
      </Dialog>
    </>
  );
};
