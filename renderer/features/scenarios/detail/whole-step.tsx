import { Menu } from "@mantine/core";
import { IconCode, IconPencil } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { RunStep } from "../../../../sandbox/contract/control/scenario-operations.ts";
import type { Step } from "../../../../sandbox/contract/scenario.ts";
import { useWorld } from "../../../app/world.ts";
import { credentialsQuery } from "../../../app/world-queries.ts";
import { Button } from "../../../components/button.tsx";
import { Form } from "../../../components/form.tsx";
import { HeadersView } from "../../../components/headers-view.tsx";
import { JsonView } from "../../../components/json-view.tsx";
import { NumberField } from "../../../components/number-field.tsx";
import { CopyAsItems } from "../../../domain/exchange/copy-as.tsx";
import { statusWanted } from "../../../domain/scenario/step-words.ts";
import styles from "../scenarios.module.css";
import { requestOf } from "./step-request.ts";

interface WholeStepProps {
  readonly step: Step;
  readonly result: RunStep | undefined;
  /** In which it ran or is to run, where that is still there. */
  readonly world: string | null;
  readonly onExpect: ((status: number) => void) | undefined;
}

const read = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** JSON as JSON, anything else as it is. */
const Content = ({ text, label }: { text: string; label: string }) => {
  const value = read(text);
  return value === undefined ? (
    <pre className="wirebox m11">{text}</pre>
  ) : (
    <JsonView value={value} label={label} lineNumbers={false} foldFrom={4} />
  );
};

const Request = ({ step, world }: Pick<WholeStepProps, "step" | "world">) => {
  const here = useWorld();
  const { data: credentials = [] } = useQuery(credentialsQuery(world ?? here));
  const request = requestOf(step, {
    world: world ?? here,
    integrationOf: (side) => credentials.find(({ preloaded, scope }) => preloaded && scope === side)?.integration_id,
  });
  if (request === null)
    return <JsonView value={step.receiver ?? step.deliveries} label="the step" lineNumbers={false} />;
  const { base64 } = step.call ?? {};
  return (
    <>
      <div className="wirebox m11">
        {request.method} {request.path}
        <HeadersView headers={request.request_headers} label="Headers" />
      </div>
      {base64 === undefined ? (
        request.request_body !== "" && <Content text={request.request_body} label="the request" />
      ) : (
        <p>{base64.length} characters of base64, which is no text.</p>
      )}
      {step.call && base64 === undefined && (
        <div className="row wrap">
          <Menu position="bottom-start" width={260}>
            <Menu.Target>
              <Button small icon={IconCode}>
                Copy as
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              <CopyAsItems call={request} />
            </Menu.Dropdown>
          </Menu>
          {/\{\{/.test(JSON.stringify(step.call)) && (
            <span className="t2">{"Replace {{…}} with the earlier step’s value."}</span>
          )}
        </div>
      )}
    </>
  );
};

/** What must come of a step, and the way to expect another status. */
const Expected = ({ step, onExpect }: Pick<WholeStepProps, "step" | "onExpect">) => {
  const [status, change] = useState<number | null>(null);
  const [isEdited, edit] = useState(false);
  const isStatus = status !== null && status >= 100 && status <= 599;
  const save = () => {
    if (!isStatus) return;
    onExpect?.(status);
    edit(false);
  };
  return (
    <>
      <div className="row">
        <p className="w5">Expected</p>
        {onExpect && !isEdited && (
          <Button
            small
            look="quiet"
            icon={IconPencil}
            onClick={() => {
              change(statusWanted(step));
              edit(true);
            }}
          >
            Edit expected status
          </Button>
        )}
      </div>
      {isEdited ? (
        <Form onSend={save}>
          <NumberField
            label="Expected status"
            hint="Replaces every check of this step. To check the body too, edit the file."
            value={status}
            onChange={change}
            autoFocus
          />
          <div className="row">
            <Button small type="submit" look="primary" disabled={!isStatus}>
              Save status
            </Button>
            <Button small onClick={() => edit(false)}>
              Cancel
            </Button>
          </div>
        </Form>
      ) : (
        <JsonView
          value={("expect" in step && step.expect) || { status: 200 }}
          label="what is expected"
          lineNumbers={false}
          foldFrom={4}
        />
      )}
    </>
  );
};

/** All that a step sends and what must come of it, as its file says; once it ran, what was answered, too. */
export const WholeStep = ({ step, result, world, onExpect }: WholeStepProps) => (
  <div className={`t12 ${styles.whole}`}>
    <Request step={step} world={world} />
    {(step.call ?? step.control) && <Expected step={step} onExpect={onExpect} />}
    {step.came && (
      <>
        <p className="w5">Recorded response</p>
        <JsonView value={step.came.body} label="the recorded response" lineNumbers={false} foldFrom={3} />
      </>
    )}
    {result && result.answer !== null && (
      <>
        <p className="w5">Current response{result.answer.length >= 2_000 && ", its beginning"}</p>
        <Content text={result.answer} label="the current response" />
      </>
    )}
  </div>
);
