import { type ComponentType, type ReactElement, useEffect, useState } from "react";
import { late } from "../lib/late.ts";
import { IconButton } from "./button.tsx";
import type { IconOf } from "./icon.tsx";

export interface LateMenuProps {
  readonly button: ReactElement;
  readonly opened: boolean;
  readonly onChange: (opened: boolean) => void;
}

interface Shown {
  readonly icon: IconOf;
  readonly label: string;
  readonly small?: boolean;
}

/** What opens it has the focus first: a menu gives it back to whatever had it when it opened. */
const opening = (Menu: ComponentType<LateMenuProps>) => (button: Shown) => {
  const [opened, setOpened] = useState(false);
  useEffect(() => setOpened(true), []);
  return <Menu button={<IconButton {...button} autoFocus />} opened={opened} onChange={setOpened} />;
};

/** A menu behind a button that is there before its code, which nothing waits for until it is pressed. */
export const lateMenu = (fetchMenu: () => Promise<ComponentType<LateMenuProps>>): ComponentType<Shown> => {
  const { Part } = late<Shown>(
    async () => opening(await fetchMenu()),
    (button) => <IconButton {...button} autoFocus />,
  );
  return (button) => {
    const [isNeeded, setNeeded] = useState(false);
    return isNeeded ? <Part {...button} /> : <IconButton {...button} onClick={() => setNeeded(true)} />;
  };
};
