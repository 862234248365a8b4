import type { Readiness } from "../../../../sandbox/contract/control/readiness-operations.ts";
import { type DrillName, drillNames } from "../../../../sandbox/contract/drill-names.ts";
import { drills } from "../../../../sandbox/contract/drills.ts";
import { hrefs } from "../../../app/places.ts";
import { requestsHref } from "../../../domain/exchange/filter.ts";
import { operationTitle } from "../../../domain/exchange/operation-words.ts";

type Next = Readiness["next"][number];
type Kind = Next["kind"];

/** What an integration never did or did wrong, in the order in which a partner gets to it. */
const kinds: Readonly<Record<Kind, string>> = {
  subscription: "No subscription",
  operation: "Operations it never called",
  event: "Event types it never acknowledged",
  retry: "Retries",
  drill: "Drills not passed yet",
  error_code: "Error codes it never met",
};
const order = Object.keys(kinds) as Kind[];

/** Where a thing is done. */
interface Place {
  readonly href: string;
  readonly label: string;
}

export interface Step {
  readonly name: string;
  /** In a person's words; null where the name is all there is. */
  readonly title: string | null;
  readonly sentence: string;
  readonly place: Place;
}

const isDrill = (name: string): name is DrillName => drillNames.some((one) => one === name);

const subscribe: Place = { href: "/webhooks", label: "Subscribe an address" };

/** The partner's program has to call it; the Console shows how. */
const calling = (operation: string): Place => ({
  href: hrefs.console(operation),
  label: "See it in the Console",
});

const placeOf = ({ kind, name }: Next, { receiver, error_codes }: Readiness): Place => {
  const [subscription] = receiver.subscriptions;
  switch (kind) {
    case "subscription":
      return subscribe;
    case "operation":
      return calling(name);
    case "error_code": {
      const [operation] = error_codes.find(({ code }) => code === name)?.operations ?? [];
      return operation === undefined
        ? { href: requestsHref({ code: name }), label: "Calls that met it" }
        : calling(operation);
    }
    case "event":
      return name === "repairer.jobs"
        ? { href: "/jobs", label: "Change a job" }
        : { href: "/procurements", label: "Change an order" };
    case "retry":
      return subscription ? { href: hrefs.deliveriesTo(subscription.id), label: "Its deliveries" } : subscribe;
    default:
      return subscription && isDrill(name)
        ? { href: hrefs.subscription(subscription.id, name), label: "Open the drill" }
        : subscribe;
  }
};

const titleOf = ({ kind, name }: Next): string | null => {
  switch (kind) {
    case "operation":
    case "subscription":
      return operationTitle(name);
    case "drill":
      return isDrill(name) ? drills[name].title : null;
    case "retry":
      return "Acknowledge a later attempt";
    default:
      return null;
  }
};

/** What is left of a readiness, by what it is a part of, each with the place that does it. */
export const whatsLeft = (
  readiness: Readiness,
): readonly { readonly title: string; readonly steps: readonly Step[] }[] =>
  order.flatMap((kind) => {
    const steps = readiness.next
      .filter((one) => one.kind === kind)
      .map((one) => ({
        name: one.name,
        title: titleOf(one),
        sentence: one.do,
        place: placeOf(one, readiness),
      }));
    return steps.length === 0 ? [] : [{ title: kinds[kind], steps }];
  });
