import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import type { ProcurementRow, RequestRow } from "../../../sandbox/contract/control/rows.ts";
import { INTERFACE_VERSION } from "../../../sandbox/contract/operation.ts";
import { copyOrNotify } from "../../kernel/notices/copy-text.ts";
import { jsonFile } from "../../kernel/notices/file-buttons.tsx";
import { notify } from "../../kernel/notices/notices.tsx";
import { clientsQuery, credentialsQuery, serviceInfoQuery } from "../../kernel/queries/world-queries.ts";
import { useWorld } from "../../kernel/world/world.ts";
import { saveFile } from "../../lib/files.ts";
import { callControl } from "../../lib/service-client.ts";
import { useControlToken } from "../../lib/session.ts";
import { useCallerName } from "../exchange/exchange.tsx";
import { callTitle } from "../exchange/operation-words.ts";
import { orderName } from "../procurement/words.ts";
import { LONG_WORK } from "../world/mutations.ts";
import { readTicketCalls } from "./gather.ts";
import type { OrderViews } from "./pages.ts";

/** The shared record. */
export type Shared =
  | { readonly kind: "call"; readonly call: RequestRow }
  | { readonly kind: "delivery"; readonly id: string; readonly label: string; readonly trace: string | null }
  | { readonly kind: "order"; readonly row: ProcurementRow; readonly views: OrderViews };

/** Limit on the calls of an order's page. */
const MAX_CALLS = 50;
/** Limit on the calls of a recording. */
const MAX_RECORDED_CALLS = 500;

const sharedTitle = (of: Shared): string => {
  if (of.kind === "call") return callTitle(of.call);
  return of.kind === "delivery" ? `Delivery for ${of.label}` : `Order ${orderName(of.row)}`;
};

/** The calls of a shared record, oldest first. */
const sharedCalls = async (of: Shared, world: string, most: number): Promise<string[]> => {
  if (of.kind === "call") return [of.call.id];
  if (of.kind === "delivery") return of.trace === null ? [] : [of.trace];
  const filter = { procurement_id: of.row.id, writes: true, limit: most, world };
  return (await callControl("requests.list", filter)).items.map(({ id }) => id).reverse();
};

/** Loaded on demand: only few sessions share anything. */
const writer = () => import("./pages.ts");

const knownSecrets = async (client: QueryClient, world: string): Promise<string[]> => {
  // Reads the credentials again, because only known secrets can be masked.
  const credentials = await client.fetchQuery(credentialsQuery(world));
  const clients = await client.fetchQuery(clientsQuery(world));
  return [
    ...credentials.flatMap(({ api_key, webhook_secret }) => [api_key ?? "", webhook_secret ?? ""]),
    ...clients.map(({ client_secret }) => client_secret ?? ""),
  ];
};

const fileName = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");

/** Shares a record: as a page, as text for a ticket, or as a recording for another explorer. */
export const useShare = (of: Shared) => {
  const world = useWorld();
  const who = useCallerName();
  const token = useControlToken();
  const client = useQueryClient();
  const title = sharedTitle(of);
  const saved = {
    onSuccess: (name: string | null) => {
      if (name !== null) notify.done({ title: `Saved ${name}` });
    },
    onError: (error: Error) => notify.failed(`Share ${title}`, error),
  };
  const read = async () => {
    const reading = { world, signal: new AbortController().signal, onRead: () => undefined };
    const calls = await readTicketCalls(await sharedCalls(of, world, MAX_CALLS), who, reading);
    const delivery = of.kind === "delivery" ? await callControl("deliveries.get", { id: of.id, world }) : null;
    const { version } = await client.ensureQueryData(serviceInfoQuery());
    const { offset_seconds: clock_offset_seconds } = await callControl("clock.get", { world });
    return {
      title,
      calls,
      delivery,
      order: of.kind === "order" ? of : null,
      about: {
        ...{ world, clock_offset_seconds, service: version, contract: INTERFACE_VERSION },
        made_at: new Date().toISOString(),
      },
      secrets: [token ?? "", ...(await knownSecrets(client, world))],
    };
  };
  const page = useMutation({
    mutationFn: async () => {
      const gathered = await read();
      const content = (await writer()).toPage(gathered);
      return saveFile({ name: `${fileName(title)}.html`, content, mediaType: "text/html" });
    },
    ...saved,
  });
  const print = useMutation({
    mutationFn: async () => {
      const gathered = await read();
      const { toPage, printPage } = await writer();
      await printPage(toPage(gathered));
    },
    onError: saved.onError,
  });
  const ticket = useMutation({
    mutationFn: async () => {
      const gathered = await read();
      return copyOrNotify((await writer()).toTicket(gathered), "the ticket");
    },
    onError: saved.onError,
  });
  const file = useMutation({
    mutationKey: LONG_WORK,
    mutationFn: async () => {
      const trace_ids = await sharedCalls(of, world, MAX_RECORDED_CALLS);
      if (trace_ids.length === 0)
        throw new Error("There are no recorded calls to open elsewhere. Share the page instead.");
      const { scenario } = await callControl("scenarios.record", { world, name: title, trace_ids, start: true });
      return saveFile(jsonFile(fileName(title), scenario));
    },
    ...saved,
  });
  return { page, print, ticket, file };
};
