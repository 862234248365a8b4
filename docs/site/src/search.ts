import MiniSearch, { type SearchResult } from "minisearch";

/** A part of a page from one heading to the next, as `build.ts` writes it. */
interface Part {
  readonly id: string;
  readonly page: string;
  readonly heading: string;
  readonly text: string;
}

const MAX_RESULTS = 12;
const MAX_WORDS = 24;

/** Ranks definitions first and architecture decisions last. */
const partWeight = (id: string): number => {
  if (id.startsWith("/help/explanation/concepts/")) return 2;
  return id.startsWith("/help/explanation/design-decisions/") ? 0.2 : 1;
};

/** Words of a question without meaning for the search. */
const STOP_WORDS = new Set(["a", "an", "the", "is", "are", "do", "does", "i", "my", "how", "to", "what", "why"]);

/** Fetches all parts of all pages at the first search. */
const load = async (): Promise<MiniSearch<Part>> => {
  const response = await fetch("/help/search.json");
  const parts: readonly Part[] = await response.json();
  const index = new MiniSearch<Part>({
    fields: ["page", "heading", "text"],
    storeFields: ["page", "heading", "text"],
    // Finds `repairer.jobs.get` by its name and by its words.
    tokenize: (text) => [
      ...text.toLowerCase().split(/[\s/(){}[\]"'`,;:]+/),
      ...text.toLowerCase().split(/[^\p{L}\p{N}]+/u),
    ],
    searchOptions: {
      processTerm: (term) => (STOP_WORDS.has(term) ? null : term),
      boost: { page: 3, heading: 4 },
      boostDocument: (id) => partWeight(String(id)),
      prefix: true,
      fuzzy: 0.2,
    },
  });
  index.addAll(parts);
  return index;
};

class HelpSearch extends HTMLElement {
  #index: Promise<MiniSearch<Part>> | undefined;

  connectedCallback(): void {
    const button = this.querySelector("button");
    const dialog = this.querySelector("dialog");
    const input = this.querySelector("input");
    if (!button || !dialog || !input) return;
    const open = (): void => {
      this.#index ??= load();
      dialog.showModal();
      input.select();
    };
    button.disabled = false;
    button.addEventListener("click", open);
    input.addEventListener("input", () => void this.#show(input.value));
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog || (event.target as Element).closest("a")) dialog.close();
    });
    dialog.addEventListener("keydown", (event) => this.#move(event, input));
    window.addEventListener("keydown", (event) => {
      if (!(event.ctrlKey || event.metaKey) || event.key !== "k") return;
      event.preventDefault();
      if (dialog.open) dialog.close();
      else open();
    });
  }

  async #show(words: string): Promise<void> {
    const index = await this.#index;
    const list = this.querySelector("ol");
    const status = this.querySelector("[role=status]");
    if (!index || !list || !status) return;
    const found = findParts(index, words.trim());
    list.replaceChildren(...found.slice(0, MAX_RESULTS).map((one) => entry(one as unknown as Part)));
    status.textContent = words.trim() === "" ? "" : counted(found.length);
  }

  /** Arrow keys move through the results, Enter opens the first. */
  #move(event: KeyboardEvent, input: HTMLInputElement): void {
    const stops = [input, ...this.querySelectorAll<HTMLAnchorElement>("ol a")];
    const at = stops.indexOf(document.activeElement as HTMLInputElement);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      stops[at + step]?.focus();
    } else if (event.key === "Enter" && at === 0) stops[1]?.click();
  }
}

/** Parts with all the words; without any, parts with some of them. */
const findParts = (index: MiniSearch<Part>, words: string): SearchResult[] => {
  if (words === "") return [];
  const all = index.search(words, { combineWith: "AND" });
  return all.length > 0 ? all : index.search(words);
};

const counted = (count: number): string => (count === 0 ? "No results" : count === 1 ? "1 result" : `${count} results`);

const entry = ({ id, page, heading, text }: Part): HTMLElement => {
  const item = document.createElement("li");
  const link = document.createElement("a");
  const excerpt = document.createElement("small");
  link.href = id;
  link.textContent = heading === page ? page : `${page} › ${heading}`;
  excerpt.textContent = text.split(/\s+/).slice(0, MAX_WORDS).join(" ");
  link.append(excerpt);
  item.append(link);
  return item;
};

customElements.define("help-search", HelpSearch);
