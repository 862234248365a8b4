import { useQuery } from "@tanstack/react-query";
import { useCredentials } from "../../app/acting.ts";
import type { PlaceProps } from "../../app/places.ts";
import { usePageTitle } from "../../app/titles.ts";
import { useWorld } from "../../app/world.ts";
import { clientsQuery, organizationsQuery } from "../../app/world-queries.ts";
import { Failing } from "../../components/failing.tsx";
import { Loading } from "../../components/loading.tsx";
import { PlaceHead } from "../../components/section.tsx";
import { plural } from "../../lib/formatting.ts";
import { useAskedFor } from "./asked-for.ts";
import { ClientBar } from "./client-bar.tsx";
import { CredentialsTable } from "./credentials-table.tsx";
import { FailureList } from "./failure-list.tsx";
import { FlowPane } from "./flow-pane.tsx";
import "./install.css";
import { useInstall } from "./install-store.ts";
import { SideChoice } from "./side-choice.tsx";
import { useReturned } from "./use-returned.ts";

const CredentialCount = () => {
  const { data } = useCredentials();
  if (!data) return null;
  const go = () => {
    const table = document.getElementById("install-credentials");
    table?.scrollIntoView({ block: "nearest" });
    table?.focus({ preventScroll: true });
  };
  return (
    <button type="button" className="lnk t12" onClick={go}>
      {plural(data.length, "credential")}
    </button>
  );
};

const Install = () => {
  const world = useWorld();
  const clients = useQuery(clientsQuery(world));
  const organizations = useQuery(organizationsQuery(world));
  const { clientId, shown, active, organizations: chosen } = useInstall();
  const error = clients.error ?? organizations.error;
  if (error) {
    const retry = () => void Promise.all([clients.refetch(), organizations.refetch()]);
    return <Failing what="Clients and organizations" error={error} onRetry={retry} />;
  }
  if (!clients.data || !organizations.data) return <Loading what="clients and organizations" rows={5} />;
  const client =
    clients.data.find(({ client_id }) => client_id === clientId) ??
    clients.data.find(({ oauth_enabled }) => oauth_enabled) ??
    clients.data[0];
  if (!client) return null;
  const of = {
    repairer: organizations.data.filter(({ scope }) => scope === "repairer"),
    supplier: organizations.data.filter(({ scope }) => scope === "supplier"),
  };
  const acting = of[active].find(({ id }) => id === chosen[active]) ?? of[active][0];
  const sides = shown === "both" ? (["repairer", "supplier"] as const) : [shown];
  return (
    <div className="install">
      <div className="install-main">
        <ClientBar client={client} clients={clients.data} />
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
        <section className="install-scroll" tabIndex={0} aria-label="Flow and credentials">
          <div className={`install-flows${shown === "both" ? " both" : ""}`}>
            {sides.map((side) => (
              <FlowPane key={side} side={side} client={client} organizations={of[side]} />
            ))}
          </div>
          <CredentialsTable />
        </section>
      </div>
      {acting && <FailureList clients={clients.data} organization={acting} scope={active} />}
    </div>
  );
};

/** Install, as a partner's app lives it: consent, code, one call, a key; and every way it fails. */
export const Place = (_props: PlaceProps) => {
  usePageTitle("Install");
  useAskedFor();
  useReturned();
  return (
    <div className="place">
      <PlaceHead title="Install" note="as a partner’s app lives it">
        <CredentialCount />
        <SideChoice />
      </PlaceHead>
      <Install />
    </div>
  );
};
