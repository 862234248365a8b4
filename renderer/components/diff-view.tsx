import { Group, Text } from "@mantine/core";
import { IconBraces } from "@tabler/icons-react";
import { useMemo } from "react";
import { differences } from "../lib/diff.ts";
import { NumberText } from "../lib/parsed-json.ts";
import { Icon } from "./icon.tsx";

const valueText = (value: unknown): string =>
  value instanceof NumberText ? value.text : (JSON.stringify(value) ?? "undefined");

/** Differences between two states, by path. A null or undefined side reads as inserted or deleted. */
export const DiffView = ({
  title,
  before,
  after,
  same = "no changes",
}: {
  title?: string;
  before: unknown;
  after: unknown;
  /** Text for equal states. */
  same?: string;
}) => {
  const found = useMemo(() => differences(before ?? {}, after ?? {}), [before, after]);
  return (
    <div className="df">
      {title && (
        <Group className="hd">
          <Icon of={IconBraces} size={14} />
          {title}
        </Group>
      )}
      {found.length === 0 && (
        <div className="d">
          <span />
          <Text c="dimmed">{same}</Text>
        </div>
      )}
      {found.map(({ path, kind, before: old, after: fresh }) => (
        <div key={path} className="df-item">
          {kind !== "added" && (
            <div className="d del">
              <span role="img" aria-label="before">
                −
              </span>
              <span title={valueText(old)}>
                {path}: {valueText(old)}
              </span>
            </div>
          )}
          {kind !== "removed" && (
            <div className="d add">
              <span role="img" aria-label="after">
                +
              </span>
              <span title={valueText(fresh)}>
                {path}: {valueText(fresh)}
              </span>
            </div>
          )}
        </div>
      ))}
    </div>
  );
};
