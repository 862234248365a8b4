import { Group, Text } from "@mantine/core";
import { State } from "../../../components/state.tsx";
import type { Explanation } from "../../../domain/exchange/explanation.ts";

const states = { passed: "passed", refused: "refused", not_reached: "skipped" } as const;
const words = { passed: "passed", refused: "refused here", not_reached: "not reached" } as const;

/** What the service checks of a call, in its order, and where this one ended. */
export const Checks = ({ checks }: Pick<Explanation, "checks">) => {
  const passed = checks.filter(({ verdict }) => verdict === "passed").length;
  const refused = checks.find(({ verdict }) => verdict === "refused");
  return (
    <section className="hl" aria-label="Checks, in order">
      <div className="sec">
        <h3 className="h2">Checks, in order</h3>
        <Text size="sm" c="dimmed" component="span">
          {passed} passed{refused ? `, ${refused.name} refused` : ""}
        </Text>
      </div>
      <Group component="ol" gap="sm" wrap="wrap" px="lg" pb="md">
        {checks.map(({ check, name, verdict }) => (
          <li key={check}>
            <State of={states[verdict]} pill={verdict === "refused"}>
              {name} <span className={verdict === "refused" ? "" : "sr"}>{words[verdict]}</span>
            </State>
          </li>
        ))}
      </Group>
    </section>
  );
};
