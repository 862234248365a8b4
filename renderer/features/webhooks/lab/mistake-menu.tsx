import { Menu } from "@mantine/core";
import { IconFlask } from "@tabler/icons-react";
import { Button } from "../../../components/button.tsx";
import { useLab } from "./lab-store.ts";
import { type MistakeName, mistakeNames, mistakes } from "./mistakes.ts";
import { type Analysis, signatureValue } from "./use-analysis.ts";

/** Makes one of the usual mistakes with what is in the lab, so that it can be seen found. */
export const MistakeMenu = ({ analysis }: { analysis: Analysis }) => {
  const change = useLab((state) => state.change);
  const { body, header, secret } = analysis;
  const value = signatureValue(header);
  const make = (name: MistakeName) => {
    if (body === null || secret === null) return;
    void mistakes[name].make({ body, value: value ?? "", secret }).then(change);
  };
  return (
    <Menu position="bottom-end" width={260}>
      <Menu.Target>
        <Button
          small
          icon={IconFlask}
          disabled={body === null || body.length === 0 || secret === null || value === null}
        >
          Make a mistake
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>What consumers get wrong most often</Menu.Label>
        {mistakeNames.map((name) => (
          <Menu.Item key={name} onClick={() => make(name)}>
            {mistakes[name].name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
};
