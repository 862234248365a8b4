import { Box, Group, Stack, Text } from "@mantine/core";
import { type ReactNode, useId } from "react";
import { type SettingId, settings } from "../../kernel/addresses/settings-list.ts";
import { useShown } from "../../kernel/place/use-shown.ts";

/** When a change of a setting holds. */
type Holds = "Applies immediately" | "Applies after restart";

interface SettingProps {
  readonly id: SettingId;
  /** The one that was asked for. */
  readonly shown: string | undefined;
  readonly holds?: Holds;
  readonly about: ReactNode;
  /** What it is set with. */
  readonly children?: ReactNode;
  /** What needs the whole width, below. */
  readonly more?: ReactNode;
}

/** One setting: what it is, when a change holds, and what it is set with. */
export const Setting = ({ id, shown, holds, about, children, more }: SettingProps) => {
  const heading = useId();
  const isShown = shown === id;
  const head = useShown(isShown);
  return (
    <Group
      component="section"
      className="hl"
      wrap="wrap"
      align="flex-start"
      gap="8px 24px"
      p="12px 16px"
      aria-labelledby={heading}
      data-shown={isShown || undefined}
    >
      <Box flex="999 1 400px" miw={0}>
        <h3 id={heading} ref={head} tabIndex={-1}>
          {settings.find((setting) => setting.id === id)?.title}
          {holds !== undefined && (
            <>
              {" "}
              <Box fz="xs" lh="xs" c="dimmed" component="span" ml="xs">
                {holds}
              </Box>
            </>
          )}
        </h3>
        <Text component="div" variant="note" maw="88ch">
          {about}
        </Text>
      </Box>
      {children !== undefined && (
        <Stack flex="1 0 304px" maw={304}>
          {children}
        </Stack>
      )}
      {more !== undefined && (
        <Box className="scroll" w="100%">
          {more}
        </Box>
      )}
    </Group>
  );
};
