import { Box, Text } from "@mantine/core";
import { IconBolt } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { hrefs } from "../../../app/places.ts";
import { LinkButton } from "../../../components/button.tsx";
import { Icon } from "../../../components/icon.tsx";
import { Origin } from "../../../components/origin.tsx";
import { Read } from "../../../components/read.tsx";
import { Section } from "../../../components/section.tsx";
import { faultsQuery } from "../../../domain/fault/faults.ts";
import { plural } from "../../../lib/formatting.ts";
import { useArmedCount } from "./queries.ts";

/** What fails on purpose in this window's world, in a line, and where to arm more. */
export const FaultsSection = ({ world }: { world: string }) => {
  const faults = useQuery(faultsQuery(world));
  const count = useArmedCount();
  return (
    <Section
      title="Faults"
      note={<Origin of="extension" />}
      actions={
        <LinkButton small icon={IconBolt} href={hrefs.faults(world)}>
          Open faults
        </LinkButton>
      }
    >
      <Read of={faults} what="the faults" rows={1}>
        {() => (
          <Box fz="sm" lh="sm" component="p" pt={0} px="lg" pb={10}>
            {count === 0 ? (
              <Text c="secondary">No faults are active.</Text>
            ) : (
              <span className="st wait">
                <Icon of={IconBolt} size={14} />
                {plural(count, "fault")} armed
              </span>
            )}
          </Box>
        )}
      </Read>
    </Section>
  );
};
