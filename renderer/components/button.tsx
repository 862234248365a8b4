import { ActionIcon, Button as LibraryButton, Tooltip } from "@mantine/core";
import type { ComponentPropsWithRef, MouseEvent, MouseEventHandler, ReactNode } from "react";
import { Link } from "wouter";
import type { AccessScope } from "../../sandbox/contract/access.ts";
import { missingScopeMessage } from "../lib/world-access.ts";
import { Icon, type IconOf } from "./icon.tsx";
import { KeyHint } from "./key-hint.tsx";

export type ButtonLook = "primary" | "default" | "quiet" | "danger";

const looks = {
  primary: { variant: "filled" },
  default: { variant: "default" },
  quiet: { variant: "subtle" },
  danger: { variant: "outline" },
} as const;

interface ButtonProps {
  readonly look?: ButtonLook;
  readonly small?: boolean;
  readonly icon?: IconOf;
  /** Key hint, for example "mod+enter"; the binding itself is made with useKeys. */
  readonly keys?: string;
  /** Its key acts only while the focus is in the pane of what it changes: the hint is shown only then. */
  readonly acts?: boolean;
  /** Said of a button that changes something: a token that may not has it disabled, with the reason. */
  readonly busy?: boolean;
  /** The least scope of a token it takes; left out: `act` where it says whether it is busy. */
  readonly needs?: AccessScope;
  readonly disabled?: boolean;
  readonly type?: "button" | "submit";
  readonly title?: string;
  /** Whether what it shows and hides is shown: for a button that opens something in its place. */
  readonly expanded?: boolean;
  readonly onClick?: MouseEventHandler<HTMLElement>;
  readonly children: ReactNode;
}

type Shaped = Pick<ButtonProps, "look" | "small" | "icon" | "keys" | "acts">;

const shaped = <P extends Shaped>({ look = "default", small = false, icon, keys, acts = false, ...rest }: P) => ({
  ...rest,
  ...looks[look],
  size: small ? "xs" : "sm",
  leftSection: icon ? <Icon of={icon} size={14} /> : undefined,
  rightSection: keys && (
    <span className="keys" data-acts={acts || undefined}>
      <KeyHint keys={keys} />
    </span>
  ),
});

/** While it is busy the library disables it, and what is disabled loses the focus: then it is disabled in word alone. */
const FocusKept = ({ disabled, ...rest }: ComponentPropsWithRef<"button"> & { readonly "data-loading"?: true }) => {
  const isBusy = rest["data-loading"] === true;
  return (
    <button
      type="button"
      {...rest}
      disabled={disabled === true && !isBusy}
      aria-disabled={disabled}
      aria-busy={isBusy}
    />
  );
};

/** A button that does something; for going somewhere use LinkButton. */
export const Button = ({ busy, needs, type = "button", expanded, onClick, ...rest }: ButtonProps) => {
  const reason = missingScopeMessage(needs ?? (busy === undefined ? "view" : "act"));
  return (
    <LibraryButton
      component={FocusKept}
      {...shaped(reason === undefined ? rest : { ...rest, disabled: true, title: reason })}
      type={type}
      aria-expanded={expanded}
      loading={busy ?? false}
      onClick={busy ? (event: MouseEvent) => event.preventDefault() : onClick}
    />
  );
};

/** A link that looks like a button: it has an address, so it opens in a new window too. */
export const LinkButton = (
  props: Omit<ButtonProps, "type" | "busy" | "needs" | "disabled" | "expanded"> & { readonly href: string },
) => <LibraryButton component={Link} {...shaped(props)} />;

interface IconButtonProps extends Omit<ComponentPropsWithRef<"button">, "aria-label" | "color" | "style"> {
  readonly icon: IconOf;
  /** What it does: read out, and shown as a tooltip. */
  readonly label: string;
  /** The verb of its label, as the label has it: beside the icon from 1280 px on. */
  readonly verb?: string;
  readonly small?: boolean;
  readonly look?: ButtonLook;
  readonly pressed?: boolean;
  /** The least scope of a token it takes, where it changes something. */
  readonly needs?: AccessScope;
}

/**
 * A button with an icon only, or with a verb beside it in a window that has room. What else it is given goes to the
 * button, so that it can be the target of a menu.
 */
export const IconButton = ({
  icon,
  label,
  verb,
  small = false,
  look = "quiet",
  pressed,
  needs = "view",
  disabled = false,
  ...rest
}: IconButtonProps) => {
  const reason = missingScopeMessage(needs);
  const shared = {
    ...rest,
    ...looks[look],
    size: small ? "xs" : "sm",
    "aria-label": label,
    disabled: disabled || reason !== undefined,
    ...(reason === undefined ? {} : { title: reason }),
    ...(pressed === undefined ? {} : { "aria-pressed": pressed }),
  };
  const shown = <Icon of={icon} size={small ? 14 : 16} />;
  return (
    <Tooltip label={reason ?? label}>
      {verb === undefined ? (
        <ActionIcon {...shared}>{shown}</ActionIcon>
      ) : (
        <LibraryButton {...shared} className="verb" leftSection={shown}>
          {verb}
        </LibraryButton>
      )}
    </Tooltip>
  );
};
