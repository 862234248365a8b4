import { type ComponentPropsWithRef, createContext, use, useRef } from "react";
import type { AccessScope } from "../../sandbox/contract/access.ts";
import { SENDING } from "../lib/key-bindings.ts";
import { Button, type ButtonProps } from "./button.tsx";
import { useSendKey } from "./use-keys.ts";

interface FormProps extends Omit<ComponentPropsWithRef<"form">, "onSubmit"> {
  readonly onSend: () => void;
}

/** A form sent by its button or by Enter in a field, without a browser navigation. */
export const Form = ({ onSend, ...rest }: FormProps) => (
  <form
    {...rest}
    onSubmit={(event) => {
      event.preventDefault();
      onSend();
    }}
  />
);

/** True if the key for sending sends the form, too. */
const HasKey = createContext(false);

/** The button that sends the form around it. */
export const Submit = ({ look = "primary", ...rest }: Omit<ButtonProps, "type" | "onClick">) => (
  <Button {...(use(HasKey) && { keys: SENDING })} {...rest} look={look} type="submit" />
);

interface SendKeyFormProps extends FormProps {
  /** Group and label of the key in the list of keys. */
  readonly keys: readonly [title: string, label: string];
  /** The minimum token scope, as of its button. Defaults to `act`. */
  readonly needs?: AccessScope;
}

/** A form that Ctrl or Cmd with Enter sends too, from any of its fields. */
export const SendKeyForm = ({ keys: [title, label], needs, ...rest }: SendKeyFormProps) => {
  const form = useRef<HTMLFormElement>(null);
  useSendKey(form, title, { label, needs, run: rest.onSend });
  return (
    <HasKey value={true}>
      <Form {...rest} ref={form} />
    </HasKey>
  );
};
