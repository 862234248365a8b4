import { ActionIcon, Button as LibraryButton, Tooltip } from "@mantine/core";
import type { ComponentPropsWithRef, MouseEvent, MouseEventHandler, ReactNode } from "react";
import { Link } from "wouter";
import type { AccessScope } from "../../sandbox/contract/access.ts";
import { missingScopeMessage } from "../lib/world-access.ts";
import { Icon, type IconOf } from "./icon.tsx";
import { KeyHint } from "./key-hint.tsx";

type ButtonLook = "primary" | "default" | "quiet" | "danger";

const looks = {
  primary: { variant: "filled" },
  default: { variant: "default" },
  quiet: { variant: "subtle" },
  danger: { variant: "outline" },
} as const;

export interface ButtonProps {
  readonly look?: ButtonLook;
  readonly small?: boolean;
  readonly icon?: IconOf;
  /** Key hint, for example "mod+enter". Bind the key itself with useKeys. */
  readonly keys?: string;
  /** The key acts only while the focus is in the same pane, so the hint is shown only then. */
  readonly acts?: boolean;
  /** For a button that changes something. It is disabled, with the reason, for a token without the scope. */
  readonly busy?: boolean;
  /** The minimum token scope. Defaults to `act` when `busy` is given. */
  readonly needs?: AccessScope;
  readonly disabled?: boolean;
  readonly type?: "button" | "submit";
  readonly title?: string;
  /** For a button that shows or hides content; true while the content is shown. */
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

/** Keeps focus while busy: a natively disabled button loses it, so `aria-disabled` is set instead. */
const FocusableButton = ({
  disabled,
  ...rest
}: ComponentPropsWithRef<"button"> & { readonly "data-loading"?: true }) => {
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

/** A button for an action. Use LinkButton for navigation. */
export const Button = ({ busy, needs, type = "button", expanded, onClick, ...rest }: ButtonProps) => {
  const reason = missingScopeMessage(needs ?? (busy === undefined ? "view" : "act"));
  return (
    <LibraryButton
      component={FocusableButton}
      {...shaped(reason === undefined ? rest : { ...rest, disabled: true, title: reason })}
      type={type}
      aria-expanded={expanded}
      loading={busy ?? false}
      onClick={busy ? (event: MouseEvent) => event.preventDefault() : onClick}
    />
  );
};

/** A link that looks like a button, so it can be opened in a new window. */
export const LinkButton = (
  props: Omit<ButtonProps, "type" | "busy" | "needs" | "disabled" | "expanded"> & { readonly href: string },
) => <LibraryButton component={Link} {...shaped(props)} />;

interface IconButtonProps extends Omit<ComponentPropsWithRef<"button">, "aria-label" | "color" | "style"> {
  readonly icon: IconOf;
  /** Accessible name and tooltip. */
  readonly label: string;
  /** The verb within the label, shown beside the icon from 1280 px. */
  readonly verb?: string;
  readonly small?: boolean;
  readonly look?: ButtonLook;
  readonly pressed?: boolean;
  /** The minimum token scope, for a button that changes something. */
  readonly needs?: AccessScope;
}

/** A button with only an icon, or with a verb in wide windows. Passes other props on, so it can be a menu's target. */
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
