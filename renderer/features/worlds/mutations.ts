import { useMutation } from "@tanstack/react-query";
import type { WorldDocument } from "../../../sandbox/contract/control/snapshot-operations.ts";
import { LONG_WORK, useWorldsChanged } from "../../domain/world/mutations.ts";
import { hrefs } from "../../kernel/addresses/hrefs.ts";
import { currentLocation, useNavigateAfter } from "../../kernel/addresses/navigate-after.ts";
import { notify } from "../../kernel/notices/notices.tsx";
import { useWorld } from "../../kernel/world/world.ts";
import { openFile, saveFile } from "../../lib/files.ts";
import { callControl } from "../../lib/service-client.ts";
import { currentWorld } from "../../lib/session.ts";
import { freeName } from "../../lib/world-name.ts";

/** Links to a world's page in this window's world: the page is the same in every world. */
export const worldLink = (world: string) => ({ href: hrefs.world(world), label: "Open world", world: currentWorld() });

/** Saves a snapshot of a world; by default, the service derives its name from the time. */
export const useSaveSnapshot = () => {
  const changed = useWorldsChanged();
  return useMutation({
    mutationKey: LONG_WORK,
    mutationFn: ({ world, name }: { world: string; name: string }) =>
      callControl("snapshots.save", name === "" ? { world } : { world, name }),
    onSuccess: ({ name, world }) => notify.done({ title: `Saved ${world} as ${name}`, link: worldLink(world) }),
    onSettled: changed,
  });
};

/** Deletes a snapshot permanently. */
export const useDeleteSnapshot = () => {
  const changed = useWorldsChanged();
  return useMutation({
    mutationFn: ({ world, name }: { world: string; name: string }) => callControl("snapshots.delete", { world, name }),
    onSuccess: (_answer, { name, world }) =>
      notify.done({ title: `Deleted snapshot ${name} of ${world}`, link: worldLink(world) }),
    onError: (error, { name }) => notify.failed(`Delete ${name}`, error),
    onSettled: changed,
  });
};

interface Exported {
  readonly world: string;
  /** A snapshot's name; default: the current world. */
  readonly name?: string;
  readonly reveal?: boolean;
}

/** Saves a world or a snapshot as one file. */
export const useExportWorld = () =>
  useMutation({
    mutationKey: LONG_WORK,
    mutationFn: async (of: Exported) => {
      const { file_name, document } = await callControl("snapshots.export", of);
      return saveFile({ name: file_name, content: `${JSON.stringify(document)}\n`, mediaType: "application/json" });
    },
    onSuccess: (saved, { world, reveal = false }) => {
      const detail = reveal ? "The file contains keys and secrets." : "The file contains no keys or secrets.";
      if (saved !== null) notify.done({ title: `Saved ${saved}`, detail, link: worldLink(world) });
    },
    onError: (error, { world }) => notify.failed(`Export ${world}`, error),
  });

const WORLD_FORMAT: WorldDocument["format"] = "integrations-explorer-world";

/** Checks only that the file is a world document; the service reports further problems. */
const parseDocument = (file: string, text: string): WorldDocument => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error(`${file} isn’t an exported world: it isn’t complete JSON. Export the world again.`);
  }
  const format: unknown = typeof value === "object" && value !== null ? Reflect.get(value, "format") : undefined;
  if (format === "integrations-explorer-worlds")
    throw new Error(
      `${file} is an export of all worlds, which this version can’t open. Export one world and open that file.`,
    );
  if (format !== WORLD_FORMAT)
    throw new Error(
      `${file} isn’t an exported world: its format isn’t “${WORLD_FORMAT}”. Choose a file saved with Export.`,
    );
  return value as WorldDocument;
};

/** Creates a world from a chosen file; existing ones stay unchanged. */
export const useOpenWorldFile = (taken: readonly string[]) => {
  const changed = useWorldsChanged();
  const here = useWorld();
  const navigateAfter = useNavigateAfter();
  return useMutation({
    mutationKey: LONG_WORK,
    mutationFn: async () => {
      const file = await openFile([{ name: "Exported world", extensions: ["json"] }]);
      if (file === null) return null;
      const document = parseDocument(file.name, new TextDecoder().decode(file.bytes));
      const world = freeName(document.world, taken);
      const { name } = await callControl("snapshots.import", { world, document });
      await callControl("snapshots.restore", { world, name });
      return { file: file.name, world };
    },
    onMutate: currentLocation,
    onSuccess: async (imported, _none, askedAt) => {
      if (imported === null) return;
      await changed();
      // The opened world takes focus, instead of the pressed button.
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
      const title = `Opened ${imported.file} as world ${imported.world}`;
      const link = { href: hrefs.world(imported.world), label: "Open it", world: here };
      navigateAfter(askedAt, link, { title, detail: "Its subscriptions are paused.", from: undefined });
    },
    onError: (error) => notify.failed("Open file", error),
    onSettled: changed,
  });
};
