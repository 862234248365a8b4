import type { QueryClient } from "@tanstack/react-query";
import { REPRODUCTION_EXTENSION } from "../../sandbox/contract/scenario-name.ts";
import { notify } from "../kernel/notices/notices.tsx";
import { desktopBridge } from "../lib/desktop-bridge.ts";
import { type OpenedFile, readChosen } from "../lib/files.ts";

const isDocument = ({ name }: File): boolean => new RegExp(`\\.(json|har|${REPRODUCTION_EXTENSION})$`, "i").test(name);

const carriesFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes("Files") ?? false;

/** Opens files that are dropped on the window or passed on by the desktop app. */
export const followOpenedFiles = (client: QueryClient): void => {
  const open = async (name: string, read: () => Promise<OpenedFile> | OpenedFile) => {
    try {
      const file = await read();
      // Fetch this code only when needed: few users open a file.
      await (await import("../domain/scenario/open-document.ts")).openDocument(file, client);
    } catch (error) {
      notify.failed(`Open ${name}`, error);
    }
  };
  const openDropped = (event: DragEvent) => {
    const files = [...(event.dataTransfer?.files ?? [])];
    const isInEditor = event.target instanceof Element && event.target.closest(".cm-editor") !== null;
    // Other files, such as pictures, belong to the element they are dropped on.
    if (files.length === 0 || isInEditor || !files.every(isDocument)) return;
    event.preventDefault();
    for (const file of files) void open(file.name, () => readChosen(file));
  };
  const refuse = (event: DragEvent) => {
    if (!carriesFiles(event) || event.defaultPrevented) return;
    event.preventDefault();
    notify.tell({ title: "Nothing here takes this file", detail: "Drop a scenario, a reproduction or a HAR." });
  };
  window.addEventListener("dragover", (event) => {
    // Otherwise the browser would open the file in place of the page.
    if (carriesFiles(event)) event.preventDefault();
  });
  window.addEventListener("drop", openDropped, { capture: true });
  window.addEventListener("drop", refuse);
  desktopBridge()?.onOpen((file) => void open(file.name, () => file));
};
