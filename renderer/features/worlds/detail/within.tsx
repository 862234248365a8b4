import { Box } from "@mantine/core";
import type { World } from "../../../../sandbox/contract/control/rows.ts";
import { TextLink } from "../../../components/link.tsx";
import { hrefs } from "../../../kernel/addresses/hrefs.ts";
import { useWorld } from "../../../kernel/world/world.ts";
import { namingWorld } from "../../../lib/world-address.ts";
import { Assumptions } from "../assumptions/assumptions.tsx";
import { ClockSection } from "../clock/clock-section.tsx";
import styles from "../worlds.module.css";

/** What is read of a world beside the lists is a call to it (D82): it is read of this window's alone. */
export const Within = ({ row: { name }, shown }: { row: World; shown: string | undefined }) =>
  name === useWorld() ? (
    <div className={styles.within}>
      <section aria-label="Clock">
        <ClockSection isShown={shown === "clock"} />
      </section>
      <div>
        <Assumptions shown={shown} />
      </div>
    </div>
  ) : (
    <Box variant="note" className="hl" component="p" py={10} px="lg">
      Open this world to change its clock and settings. Reading them here would postpone its reset.{" "}
      <TextLink href={namingWorld(hrefs.world(name), name)}>Open {name}</TextLink>
    </Box>
  );
