import { Box, Group, Stack, Text } from "@mantine/core";
import { createContext, type ReactNode, use, useId } from "react";
import { type SettingId, settings } from "../../kernel/addresses/settings-list.ts";
import { useScrollIntoView } from "../../kernel/place/use-scroll-into-view.ts";

/** The moment a change takes effect. */
type EffectTime = "Applies immediately" | "Applies after restart";

/** The setting that the address names. */
export const ShownSetting = createContext<string | undefined>(undefined);

interface SettingProps {
  readonly id: SettingId;
  readonly appliesWhen?: EffectTime;
  readonly about: ReactNode;
  /** Its control. */
  readonly children?: ReactNode;
  /** Content that needs the full width. */
  readonly more?: ReactNode;
}

/** A setting: title, time of effect, and control. */
export const Setting = ({ id, appliesWhen, about, children, more }: SettingProps) => {
  const heading = useId();
  const isShown = use(ShownSetting) === id;
  const head = useScrollIntoView(isShown);
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
          {appliesWhen !== undefined && (
            <>
              {" "}
              <Box fz="xs" lh="xs" c="dimmed" component="span" ml="xs">
                {appliesWhen}
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
