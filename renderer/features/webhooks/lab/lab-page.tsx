import { usePageTitle } from "../../../app/titles.ts";
import { Panes } from "../panes.tsx";
import "./lab.css";
import { LabForm } from "./lab-form.tsx";
import { LabResult } from "./lab-result.tsx";
import { useLab } from "./lab-store.ts";
import { useAnalysis } from "./use-analysis.ts";

/** `/webhooks/lab`: what was pasted left, what is wrong with it right. Nothing of it leaves the page. */
export const LabPage = () => {
  const pasted = useLab();
  const analysis = useAnalysis(pasted);
  usePageTitle("Signature lab", "Webhooks");
  return (
    <Panes
      label="What arrived"
      list={<LabForm pasted={pasted} analysis={analysis} />}
      detail={<LabResult pasted={pasted} analysis={analysis} />}
    />
  );
};
