import { IconCheck, IconMinus, IconX } from "@tabler/icons-react";
import { Icon } from "../../../components/icon.tsx";
import type { Explanation } from "../../../domain/exchange/explanation.ts";
import styles from "./checks.module.css";

const icons = { passed: IconCheck, refused: IconX, not_reached: IconMinus } as const;
const words = { passed: "passed", refused: "refused here", not_reached: "not reached" } as const;

/** What the service checks of a call, in its order, and where this one ended. */
export const Checks = ({ checks }: Pick<Explanation, "checks">) => {
  const passed = checks.filter(({ verdict }) => verdict === "passed").length;
  const refused = checks.find(({ verdict }) => verdict === "refused");
  return (
    <section className="hl" aria-label="Checks, in order">
      <div className="sec">
        <h3 className="h2">Checks, in order</h3>
        <span className="t12 t3">
          {passed} passed{refused ? `, ${refused.name} refused` : ""}
        </span>
      </div>
      <ol className={styles.strip}>
        {checks.map(({ check, name, verdict }) => (
          <li key={check} data-verdict={verdict}>
            <span className={styles.mark}>
              <Icon of={icons[verdict]} size={12} />
            </span>
            <b>{name}</b>
            <span className={verdict === "refused" ? styles.fact : "sr"}>{words[verdict]}</span>
          </li>
        ))}
      </ol>
    </section>
  );
};
