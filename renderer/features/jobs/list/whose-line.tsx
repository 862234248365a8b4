import { useQuery } from "@tanstack/react-query";
import { useActAs } from "../../../app/acting.ts";
import { useWorld } from "../../../app/world.ts";
import { organizationsQuery } from "../../../app/world-queries.ts";
import { SideGlyph } from "../../../components/side.tsx";
import { directoryQuery } from "../../../domain/directory/directory.ts";
import type { JobFilter } from "../address.ts";
import styles from "./list.module.css";

/** Under the title of the list: whose jobs these are, and as whom this window acts. */
export const WhoseLine = ({ filter: { site } }: { filter: JobFilter }) => {
  const world = useWorld();
  const { credential } = useActAs("repairer");
  const owner = useQuery(directoryQuery(world)).data?.find(({ id }) => id === site)?.organization_id;
  const name = useQuery(organizationsQuery(world)).data?.find(({ id }) => id === owner)?.name;
  return (
    <span className={`t12 t3 ${styles.whose}`}>
      <span>{site === null ? "All organizations in this world" : `Jobs of ${name ?? "one site"}`}</span>
      {credential && (
        <span title="New jobs are inserted with this key. Each job is read with a key of its own buyer.">
          <SideGlyph side="repairer" /> sending as {credential.organization_name}
        </span>
      )}
    </span>
  );
};
