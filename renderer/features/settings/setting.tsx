import { Box, Stack, Text } from "@mantine/core";
import { type ReactNode, useId } from "react";
import { type SettingId, settings } from "../../app/settings-list.ts";
import { useShown } from "../../components/use-shown.ts";
import styles from "./settings.module.css";

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
    <section className={styles.one} aria-labelledby={heading} data-shown={isShown || undefined}>
      <div>
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
        <Text component="div" variant="note">
          {about}
        </Text>
      </div>
      {children !== undefined && (
        <Stack gap="sm" miw={0}>
          {children}
        </Stack>
      )}
      {more !== undefined && <div className={styles.more}>{more}</div>}
    </section>
  );
};
