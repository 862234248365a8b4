import type { DeliveryRow } from "../../../../sandbox/contract/control/rows.ts";
import { hasPlace, hrefs } from "../../../app/places.ts";
import { HttpStatus } from "../../../components/http-status.tsx";
import { TextLink } from "../../../components/link.tsx";
import { State } from "../../../components/state.tsx";

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : url);

const Delivery = ({ delivery }: { delivery: DeliveryRow }) => (
  <li className="row t12">
    <State of={delivery.status} />
    <span className="t3 el" title={delivery.url}>
      {hostOf(delivery.url)}
    </span>
    <span className="grow" />
    {(delivery.last_status !== null || delivery.attempts_made > 0) && (
      <HttpStatus status={delivery.last_status} error={delivery.last_error} />
    )}
    {hasPlace("webhooks") && (
      <TextLink href={hrefs.delivery(delivery.id)} title="The delivery, byte for byte">
        Open
      </TextLink>
    )}
  </li>
);

/** The deliveries of an event; without any, why, and what to do. */
export const DeliveryLines = ({ deliveries }: { deliveries: readonly DeliveryRow[] }) =>
  deliveries.length === 0 ? (
    <p className="t12 t3">
      Not delivered: this side had no subscription, or it has ended.{" "}
      {hasPlace("webhooks") && <TextLink href="/webhooks">Subscribe</TextLink>}
    </p>
  ) : (
    <ul aria-label="Deliveries">
      {deliveries.map((delivery) => (
        <Delivery key={delivery.id} delivery={delivery} />
      ))}
    </ul>
  );
