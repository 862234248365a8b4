import { Box } from "@mantine/core";
import { IconArrowLeft } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { LinkButton } from "../../components/button.tsx";
import { Detail } from "../../components/detail.tsx";
import { TextLink } from "../../components/link.tsx";
import { Origin } from "../../domain/decision/origin.tsx";
import { hrefs } from "../../kernel/addresses/hrefs.ts";
import { usePageTitle } from "../../kernel/place/titles.ts";
import { useWorld } from "../../kernel/world/world.ts";
import { namingWorld } from "../../lib/world-address.ts";

interface WorldPageProps {
  readonly name: string;
  readonly of: "faults" | "counterparts";
  /** Beside the title, of this window's world. */
  readonly beside?: ReactNode;
  readonly children: ReactNode;
}

/** The way back from a page of a world to the world. */
export const BackToWorld = ({ name }: { name: string }) => (
  <LinkButton small look="quiet" icon={IconArrowLeft} href={hrefs.world(name)}>
    {name}
  </LinkButton>
);

/** An extension's page of a world. Doesn't read worlds other than the window's, because a read postpones their reset. */
export const WorldPage = ({ name, of, beside, children }: WorldPageProps) => {
  const title = of === "faults" ? "Faults" : "Counterparts";
  const label = `${title} of ${name}`;
  usePageTitle(label, "Worlds");
  const isHere = name === useWorld();
  return (
    <Detail
      label={label}
      before={<BackToWorld name={name} />}
      title={title}
      beside={
        <>
          <Origin of="extension" />
          {isHere && beside}
        </>
      }
      scrolls
    >
      {isHere ? (
        children
      ) : (
        <Box variant="note" className="hl" component="p" py={10} px="lg">
          Open this world to change its {of}. Reading them here would postpone its reset.{" "}
          <TextLink href={namingWorld(`${hrefs.world(name)}/${of}`, name)}>Open {name}</TextLink>
        </Box>
      )}
    </Detail>
  );
};
