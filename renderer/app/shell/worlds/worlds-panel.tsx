import { Box, EmptyState, Group, Stack, Text } from "@mantine/core";
import { IconCheck, IconFilter, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { Link, useLocation } from "wouter";
import type { World } from "../../../../sandbox/contract/control/rows.ts";
import { Button, LinkButton } from "../../../components/button.tsx";
import { Refused } from "../../../components/failing.tsx";
import { TextField } from "../../../components/fields.tsx";
import { Form } from "../../../components/form.tsx";
import { Icon } from "../../../components/icon.tsx";
import { Origin } from "../../../components/origin.tsx";
import { Read } from "../../../components/read.tsx";
import { useCopyWorld, useDeleteWorld, useMakeWorld, useResetWorld } from "../../../domain/world/mutations.ts";
import { contentsOf, inOrder, useLeftWords } from "../../../domain/world/use-worlds.ts";
import { type WorldQuestion as Question, useWorldsUi, type WorldAsked } from "../../../domain/world/worlds-ui.ts";
import { formatCount, plural } from "../../../lib/formatting.ts";
import { namingWorld, withoutWorld } from "../../../lib/world-address.ts";
import { copyName, nameProblem } from "../../../lib/world-name.ts";
import { hrefs } from "../../places.ts";
import { SearchField } from "../../search-field.tsx";
import { withoutWire } from "../../wire-address.ts";
import { useWorld } from "../../world.ts";
import { worldsQuery } from "../../world-queries.ts";

/** Moves focus to the first thing the selector finds when a part of a popover takes another's place. */
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
        <Button
          look="primary"
          type="submit"
          needs="manage"
          busy={busy}
          disabled={problem !== null && (sent || name !== "")}
        >
          {act}
        </Button>
      </span>
    </Form>
  );
};

/** A fresh world of a free name; it is there as soon as it is called. */
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
          header <code>x-sandbox-tenant</code>. It resets 60 minutes after its last call unless you pin it{" "}
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
  const contents = row ? contentsOf(row) : "everything";
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

/** Asks before a world is reset or deleted, in words that say what is lost. */
const AskedFirst = ({ is: act, world }: Question) => {
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

/** What a dialog asks of a world: the name of a new one or a copy, or whether to reset or delete it. */
export const AskedOfWorld = (asked: WorldAsked) => {
  if (asked.is === "new") return <NewWorldForm />;
  return asked.is === "copy" ? <CopyWorldForm key={asked.world} world={asked.world} /> : <AskedFirst {...asked} />;
};

/** A call or a delivery: its identifier is new in each world. */
const ofOneWorld = /^\/(requests|webhooks)\/[0-9a-f]{8}-.*$/;

/** What is in sight, in another world: a copy has the same identifiers, and so has every fresh world (D83). */
const sameInWorld = (world: string) =>
  namingWorld(
    window.location.pathname.replace(ofOneWorld, "/$1") + withoutWire(withoutWorld(window.location.search)),
    world,
  );

/** One world of the list, and the way into it; what can be done with it is in the place Worlds and the palette. */
const WorldLine = ({ row, current }: { row: World; current: boolean }) => {
  const show = useWorldsUi((state) => state.show);
  const left = useLeftWords(row);
  return (
    <li className={`hov world-line${current ? " sel" : ""}`}>
      <Link
        href={sameInWorld(row.name)}
        aria-current={current ? "true" : undefined}
        data-autofocus={current ? true : undefined}
        onClick={() => show(null)}
      >
        <span className="world-tick">{current && <Icon of={IconCheck} size={14} />}</span>
        <Text fw={500} truncate>
          {row.name}
        </Text>
        <Text variant="aside">{row.pinned ? "pinned" : left}</Text>
        <Text variant="aside" ml="auto">
          {contentsOf(row)}
        </Text>
      </Link>
    </li>
  );
};

/** As many are drawn; the rest is found by typing. */
const MOST_DRAWN = 60;
/** From this many on there is something to search in. */
const MANY = 8;

const moveFocus = (event: KeyboardEvent<HTMLUListElement>) => {
  const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (by === 0) return;
  event.preventDefault();
  const links = [...event.currentTarget.querySelectorAll("a")];
  const at = links.findIndex((link) => link.closest("li")?.contains(document.activeElement));
  links[Math.min(links.length - 1, Math.max(0, at + by))]?.focus();
};

const Listed = ({ data }: { data: readonly World[] }) => {
  const current = useWorld();
  const show = useWorldsUi((state) => state.show);
  const [typed, setTyped] = useState("");
  const box = useFocusOnMount<HTMLDivElement>("a[aria-current]");
  const wanted = typed.trim().toLowerCase();
  const found = inOrder(data, current).filter(({ name }) => name.toLowerCase().includes(wanted));
  return (
    <div ref={box}>
      <Group className="pop-head">
        <h2 className="h2">Worlds</h2>
        <Text variant="aside">{formatCount(data.length)}</Text>
        <Box component="span" flex={1} />
        <LinkButton small look="quiet" href={hrefs.world(current)} onClick={() => show(null)}>
          Manage
        </LinkButton>
        <Button small icon={IconPlus} onClick={() => show({ is: "new" })}>
          New world
        </Button>
      </Group>
      {data.length > MANY && (
        <Box className="hb" px="md" py="sm">
          <SearchField
            label="Search worlds"
            placeholder="Search worlds"
            value={typed}
            onChange={setTyped}
            byKey={false}
          />
        </Box>
      )}
      {found.length === 0 ? (
        <EmptyState icon={<IconFilter />} title={`No world matches “${typed.trim()}”`}>
          <EmptyState.Actions>
            <Button small onClick={() => setTyped("")}>
              Clear filter
            </Button>
          </EmptyState.Actions>
        </EmptyState>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveElementInteractions: arrows move between the links in it
        <ul aria-label="Worlds" onKeyDown={moveFocus}>
          {found.slice(0, MOST_DRAWN).map((row) => (
            <WorldLine key={row.name} row={row} current={row.name === current} />
          ))}
        </ul>
      )}
      {found.length > MOST_DRAWN && (
        <Text component="p" variant="aside" px="md" py="sm">
          {plural(found.length - MOST_DRAWN, "more world")}. Type to search.
        </Text>
      )}
    </div>
  );
};

/** All worlds of the service, to go to one or to do something with it. */
export const WorldList = () => {
  // What others did with worlds is told by no feed.
  const worlds = useQuery({ ...worldsQuery(), refetchOnMount: "always" });
  return (
    <Read of={worlds} what="the worlds">
      {(data) => <Listed data={data} />}
    </Read>
  );
};
