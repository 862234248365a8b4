import { Group, Text } from "@mantine/core";
import { State } from "../../../components/state.tsx";
import type { Explanation } from "../../../domain/exchange/explanation.ts";

const states = { passed: "passed", refused: "refused", not_reached: "skipped" } as const;
const words = { passed: "passed", refused: "refused here", not_reached: "not reached" } as const;

type Check = Explanation["checks"][number];
const isFault = ({ check }: Check) => check === "fault_before" || check === "fault_after";

/** The service's checks in their order, and the one that refused this call. */
export const Checks = ({ checks }: Pick<Explanation, "checks">) => {
  const passed = checks.filter(({ verdict }) => verdict === "passed").length;
  const refused = checks.find(({ verdict }) => verdict === "refused");
  return (
    <section className="hl" aria-label="Checks, in order">
      <div className="sec">
        <h3 className="h2">Checks, in order</h3>
        <Text size="sm" c="dimmed" component="span">
          {passed} passed
          {refused
            ? `, ${isFault(refused) ? `ended by a ${refused.name.toLowerCase()}` : `${refused.name} refused`}`
            : ""}
        </Text>
      </div>
      <Group component="ol" gap="sm" wrap="wrap" px="lg" pb="md">
        {checks.map((one) => (
          <li key={one.check}>
            <State of={states[one.verdict]} pill={one.verdict === "refused"}>
              {one.name}{" "}
              <span className={one.verdict === "refused" ? "" : "sr"}>
                {isFault(one) && one.verdict === "refused" ? "ended it here" : words[one.verdict]}
              </span>
            </State>
          </li>
        ))}
      </Group>
    </section>
  );
};
