import { type ComponentType, type ReactElement, Suspense, useEffect, useState } from "react";
import { IconButton } from "./button.tsx";
import type { IconOf } from "./icon.tsx";

export interface LateMenuProps {
  readonly button: ReactElement;
  readonly opened: boolean;
  readonly onChange: (opened: boolean) => void;
}

interface Shown {
  /** Its code is late. */
  readonly menu: ComponentType<LateMenuProps>;
  readonly icon: IconOf;
  readonly label: string;
  readonly small?: boolean;
}

/** What opens it has the focus first: a menu gives it back to whatever had it when it opened. */
const Opening = ({ menu: Menu, ...button }: Shown) => {
  const [opened, setOpened] = useState(false);
  useEffect(() => setOpened(true), []);
  return <Menu button={<IconButton {...button} autoFocus />} opened={opened} onChange={setOpened} />;
};

/** A menu behind a button that is there before its code, which nothing waits for until it is pressed. */
export const LateMenu = (props: Shown) => {
  const { menu: _menu, ...button } = props;
  const [isNeeded, setNeeded] = useState(false);
  if (!isNeeded) return <IconButton {...button} onClick={() => setNeeded(true)} />;
  return (
    <Suspense fallback={<IconButton {...button} autoFocus />}>
      <Opening {...props} />
    </Suspense>
  );
};
