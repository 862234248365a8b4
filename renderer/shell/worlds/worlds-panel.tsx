import { Box, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { useLocation } from "wouter";
import { Button } from "../../components/button.tsx";
import { Refused } from "../../components/failing.tsx";
import { TextField } from "../../components/fields.tsx";
import { Form, Submit } from "../../components/form.tsx";
import { Origin } from "../../domain/decision/origin.tsx";
import { useCopyWorld, useDeleteWorld, useMakeWorld, useResetWorld } from "../../domain/world/mutations.ts";
import { worldContents } from "../../domain/world/use-worlds.ts";
import { type WorldQuestion as Question, useWorldsUi, type WorldDialog } from "../../domain/world/worlds-ui.ts";
import { worldsQuery } from "../../kernel/queries/world-queries.ts";
import { useWorld } from "../../kernel/world/world.ts";
import { namingWorld } from "../../lib/world-address.ts";
import { copyName, nameProblem } from "../../lib/world-name.ts";

/** Focuses the first match of the selector when one part of a popover replaces another. */
const useFocusOnMount = <E extends HTMLElement>(selector: string): RefObject<E | null> => {
  const box = useRef<E>(null);
  useEffect(() => {
    const target = box.current?.querySelector<HTMLElement>(selector);
    target?.focus();
    if (target instanceof HTMLInputElement) target.select();
  }, [selector]);
  return box;
};

const useNames = (): readonly string[] => (useQuery(worldsQuery()).data ?? []).map(({ name }) => name);

const NameForm = ({
  initial,
  note,
  act,
  busy = false,
  refused = null,
  onSubmit,
}: {
  initial: string;
  note: ReactNode;
  act: string;
  busy?: boolean;
  refused?: Error | null;
  onSubmit: (name: string) => void;
}) => {
  const names = useNames();
  const [typed, setTyped] = useState(initial);
  const [sent, setSent] = useState(false);
  const name = typed.trim();
  const problem = nameProblem(name, names);
  const submit = () => {
    setSent(true);
    if (problem === null) onSubmit(name);
  };
  return (
    <Form onSend={submit}>
      <TextField
        label="Name"
        value={typed}
        onChange={setTyped}
        mono
        autoFocus
        isSuggestion
        error={sent || name !== "" ? problem : null}
      />
      <Refused error={refused} />
      <Text component="p" variant="note">
        {note}
      </Text>
      <span className="acts-end">
        <Submit needs="manage" busy={busy} disabled={problem !== null && (sent || name !== "")}>
          {act}
        </Submit>
      </span>
    </Form>
  );
};

/** A fresh world with a free name; the first call creates it. */
const NewWorldForm = () => {
  const [, navigate] = useLocation();
  const show = useWorldsUi((state) => state.show);
  const make = useMakeWorld();
  return (
    <NameForm
      initial=""
      act="Create and open"
      busy={make.isPending}
      note={
        <>
          Every new world has the same IDs, keys and seed data <Origin of="assumption" id="D83" />. Use it with the
          header <code>x-sandbox-tenant</code>. Without calls it resets after a time, unless you pin it{" "}
          <Origin of="assumption" id="D82" />.
        </>
      }
      onSubmit={(name) =>
        make.mutate(name, {
          onSuccess: () => {
            navigate(namingWorld("/", name));
            show(null);
          },
        })
      }
    />
  );
};

/** A copy of a world under a free name. */
const CopyWorldForm = ({ world }: { world: string }) => {
  const names = useNames();
  const show = useWorldsUi((state) => state.show);
  const copy = useCopyWorld();
  return (
    <NameForm
      initial={copyName(world, names)}
      act={`Copy ${world}`}
      busy={copy.isPending}
      refused={copy.error}
      note="Copies all data with the same IDs and keys. Pending deliveries are not copied."
      onSubmit={(to) => copy.mutate({ world, to }, { onSuccess: () => show(null) })}
    />
  );
};

const Words = ({ is: act, world }: Question) => {
  const here = useWorld();
  const row = useQuery(worldsQuery()).data?.find(({ name }) => name === world);
  const contents = row ? worldContents(row) : "everything";
  const lost =
    row !== undefined && row.unavailable !== null ? (
      <>its file is damaged, so no checkpoint can be saved. You can’t undo this.</>
    ) : (
      <>
        <b>{contents}</b>, calls and deliveries. A checkpoint is saved first, so you can undo this.
      </>
    );
  if (act === "delete")
    return (
      <>
        <p>This deletes {lost}</p>
        <Text component="p" c="secondary">
          The next call to this name creates a new world.{" "}
          {here === world && " This window switches to world “default”."}
        </Text>
      </>
    );
  return (
    <>
      <p>This deletes {lost}</p>
      <Text component="p" c="secondary">
        The world starts again from the seed, with default settings and real time. Subscriptions and pending deliveries
        are deleted <Origin of="assumption" id="D82" />.
      </Text>
    </>
  );
};

/** Confirms a reset or a deletion, and names the data that is lost. */
const WorldConfirmation = ({ is: act, world }: Question) => {
  const show = useWorldsUi((state) => state.show);
  const reset = useResetWorld();
  const remove = useDeleteWorld();
  const box = useFocusOnMount<HTMLDivElement>("[data-autofocus]");
  const go = () => {
    show(null);
    if (act === "reset") reset.mutate(world);
    else remove.mutate(world);
  };
  return (
    <Stack ref={box} gap="md">
      <Words is={act} world={world} />
      <Group wrap="wrap">
        <Button look="quiet" onClick={() => show({ is: "copy", world })}>
          Copy first
        </Button>
        <Box component="span" flex={1} />
        <Button data-autofocus onClick={() => show(null)}>
          Cancel
        </Button>
        <Button look="danger" onClick={go}>
          {act === "reset" ? "Reset" : "Delete"} {world}
        </Button>
      </Group>
    </Stack>
  );
};

/** A dialog about a world: the name of a new one or of a copy, or the confirmation of a reset or deletion. */
export const WorldDialogContent = (dialog: WorldDialog) => {
  if (dialog.is === "new") return <NewWorldForm />;
  return dialog.is === "copy" ? (
    <CopyWorldForm key={dialog.world} world={dialog.world} />
  ) : (
    <WorldConfirmation {...dialog} />
  );
};
