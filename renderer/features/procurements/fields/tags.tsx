import { IconArrowNarrowRight } from "@tabler/icons-react";
import { Icon } from "../../../components/icon.tsx";
import { Time } from "../../../components/time.tsx";
import type { Difference } from "../../../lib/diff.ts";
import type { Prediction } from "../next/predictions.ts";
import { wordsOf } from "../words.ts";

/** What confirming will do to a field: said, not done. */
export const PredictionTag = ({ prediction }: { prediction: Prediction }) => (
  <span className="procurements-tag predicted" title={`Prediction (D52): confirm will set ${prediction.words}`}>
    confirm will set <Icon of={IconArrowNarrowRight} size={12} />{" "}
    <b>{prediction.at ? <Time at={prediction.at} as="day" /> : prediction.words}</b>
  </span>
);

/** The same for the fields inside a closed item. */
export const PredictionsTag = ({ names }: { names: readonly string[] }) => (
  <span className="procurements-tag predicted" title="Prediction (D52)">
    confirm will set <b>{names.join(", ")}</b>
  </span>
);

const last = (path: string) => path.slice(path.lastIndexOf(".") + 1);

const before = (change: Difference, path: string): string => {
  // The change may be of something above the field: an inventory that was null had no sellable_id.
  if (change.kind === "added") return "nothing";
  const text = wordsOf(change.path === path || change.before === null ? change.before : undefined);
  return text.length > 28 ? `${text.slice(0, 27)}…` : text;
};

/** What a field was before the last transition. */
export const ChangedTag = ({ change, path }: { change: Difference; path: string }) => (
  <span className="procurements-tag was" title={`${change.path} was ${wordsOf(change.before)}`}>
    was{" "}
    <b>
      {typeof change.before === "string" && /_at$|_before$/.test(path) ? (
        <Time at={change.before} as="precise" />
      ) : (
        before(change, path)
      )}
    </b>
  </span>
);

/** Which fields inside a closed item the last transition changed. */
export const ChangesTag = ({ changes }: { changes: readonly Difference[] }) => (
  <span className="procurements-tag was">
    changed <b>{[...new Set(changes.map((change) => last(change.path)))].join(", ")}</b>
  </span>
);
