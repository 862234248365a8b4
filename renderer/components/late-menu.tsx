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

interface Props<P> {
  readonly button: Shown;
  /** What the menu is of. */
  readonly of: P;
}

/** What opens it has the focus first: a menu gives it back to whatever had it when it opened. */
const opening =
  <P extends object>(Menu: ComponentType<LateMenuProps & P>) =>
  ({ button, of }: Props<P>) => {
    const [opened, setOpened] = useState(false);
    useEffect(() => setOpened(true), []);
    return <Menu {...of} button={<IconButton {...button} autoFocus />} opened={opened} onChange={setOpened} />;
  };

/** A menu behind a button that is there before its code, which nothing waits for until it is pressed. */
export const lateMenuOf = <P extends object>(
  fetchMenu: () => Promise<ComponentType<LateMenuProps & P>>,
): ComponentType<Props<P>> => {
  const { Part } = late<Props<P>>(
    async () => opening(await fetchMenu()),
    ({ button }) => <IconButton {...button} autoFocus />,
  );
  return (props) => {
    const [isNeeded, setNeeded] = useState(false);
    return isNeeded ? <Part {...props} /> : <IconButton {...props.button} onClick={() => setNeeded(true)} />;
  };
};

/** The same for a menu that needs nothing said. */
export const lateMenu = (fetchMenu: () => Promise<ComponentType<LateMenuProps>>): ComponentType<Shown> => {
  const Menu = lateMenuOf<object>(fetchMenu);
  return (button) => <Menu button={button} of={{}} />;
};
