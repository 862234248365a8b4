import { IconArrowLeft } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { useLocation } from "wouter";
import { Button, IconButton } from "../../../components/button.tsx";
import { Refusal } from "../../../components/failing.tsx";
import { TextField } from "../../../components/fields.tsx";
import { Origin } from "../../../components/origin.tsx";
import { ServiceFailure } from "../../../lib/service-failure.ts";
import { namingWorld } from "../../../lib/world-address.ts";
import { copyName, nameProblem } from "../../../lib/world-name.ts";
import { worldsQuery } from "../../world-queries.ts";
import { useFocusOnMount } from "../use-focus-on-mount.ts";
import { useCopyWorld } from "./mutations.ts";
import { useWorldsUi } from "./worlds-ui.ts";

const useNames = (): readonly string[] => (useQuery(worldsQuery()).data ?? []).map(({ name }) => name);

const NameForm = ({
  title,
  initial,
  note,
  act,
  busy = false,
  refused = null,
  onSubmit,
}: {
  title: string;
  initial: string;
  note: ReactNode;
  act: string;
  busy?: boolean;
  refused?: Error | null;
  onSubmit: (name: string) => void;
}) => {
  const show = useWorldsUi((state) => state.show);
  const names = useNames();
  const [typed, setTyped] = useState(initial);
  const [sent, setSent] = useState(false);
  const box = useFocusOnMount<HTMLFormElement>("input");
  const name = typed.trim();
  const problem = nameProblem(name, names);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setSent(true);
    if (problem === null) onSubmit(name);
  };
  return (
    <form ref={box} onSubmit={submit}>
      <div className="pop-head">
        <IconButton small icon={IconArrowLeft} label="Back to the worlds" onClick={() => show({ is: "list" })} />
        <h2 className="h2 el">{title}</h2>
      </div>
      <div className="pop-body">
        <TextField
          label="Name"
          value={typed}
          onChange={setTyped}
          mono
          autoFocus
          error={sent || name !== "" ? problem : null}
        />
        {refused instanceof ServiceFailure && <Refusal failure={refused} />}
        <p className="t12 t2">{note}</p>
        <span>
          <Button look="primary" type="submit" busy={busy} disabled={problem !== null && (sent || name !== "")}>
            {act}
          </Button>
        </span>
      </div>
    </form>
  );
};

/** A fresh world of a free name; it is there as soon as it is called. */
export const NewWorldForm = () => {
  const [, navigate] = useLocation();
  const show = useWorldsUi((state) => state.show);
  return (
    <NameForm
      title="New world"
      initial=""
      act="Create and open"
      note={
        <>
          It is seeded as every fresh world: the same identifiers, keys and content{" "}
          <Origin of="assumption" id="D83" tight />. Programs reach it with the header <code>x-sandbox-tenant</code>.
          Unless it is pinned it resets 60 minutes after its last call <Origin of="assumption" id="D82" tight />.
        </>
      }
      onSubmit={(name) => {
        navigate(namingWorld("/", name));
        show(null);
      }}
    />
  );
};

/** A copy of a world under a free name. */
export const CopyWorldForm = ({ world }: { world: string }) => {
  const names = useNames();
  const show = useWorldsUi((state) => state.show);
  const copy = useCopyWorld();
  return (
    <NameForm
      title={`Copy ${world}`}
      initial={copyName(world, names)}
      act={`Copy ${world}`}
      busy={copy.isPending}
      refused={copy.error}
      note="Everything in it, with the same identifiers and keys; what waits to be delivered stays with the original."
      onSubmit={(to) => copy.mutate({ world, to }, { onSuccess: () => show({ is: "list" }) })}
    />
  );
};
