import { Group, Text } from "@mantine/core";
import { Component, type ErrorInfo, type ReactNode } from "react";
import { useLocation } from "wouter";
import { Button } from "../../components/button.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import { MissingCode } from "../../lib/late.ts";
import { useConnection } from "../live/connection-store.ts";

interface Props {
  readonly title: string;
  /** The boundary's part of the frame, for the layout of its error message. */
  readonly area?: "rail" | "top";
  readonly children: ReactNode;
}
interface AddressedProps extends Props {
  /** The current address; a change retries. */
  readonly address: string;
}
interface State {
  readonly error: Error | null;
  readonly address: string;
}

class AddressedBoundary extends Component<AddressedProps, State> {
  override state: State = { error: null, address: this.props.address };

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  static getDerivedStateFromProps({ address }: AddressedProps, state: State): Partial<State> | null {
    return address === state.address ? null : { error: null, address };
  }

  #stopWaiting: (() => void) | null = null;

  override componentWillUnmount(): void {
    this.#stopWaiting?.();
  }

  #again = (): void => {
    this.setState({ error: null });
  };

  /**
   * Reloads the page once the service is back if code couldn't be fetched, because browsers cache failed modules and
   * style sheets of a page.
   */
  #reloadOnceBack(): void {
    this.#stopWaiting ??= useConnection.subscribe((now, before) => {
      const isBack = now.connection.state === "live" && before.connection.state === "reconnecting";
      if (isBack && this.state.error instanceof MissingCode) window.location.reload();
    });
  }

  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    console.error(`${this.props.title} failed to draw`, error, info.componentStack);
    if (error instanceof MissingCode) this.#reloadOnceBack();
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (!error) return this.props.children;
    const { title, area = "" } = this.props;
    const missing = error instanceof MissingCode;
    return (
      <div className={`failing ${area}`} role="alert">
        <h1>
          {title} {missing ? "couldn’t be loaded" : "couldn’t be displayed"}
        </h1>
        {!missing && <Text size="sm">{error.message}</Text>}
        <Text variant="note">
          {missing
            ? "The service doesn’t respond, or its version has changed. This page reloads when the service is back; for a new version, reload it."
            : "Your data is not affected. The rest of the explorer still works."}
        </Text>
        <Group component="span" wrap="wrap">
          {!missing && (
            <Button small onClick={this.#again}>
              Try again
            </Button>
          )}
          <Button small look="quiet" onClick={() => window.location.reload()}>
            Reload explorer
          </Button>
          <CopyButton text={error.stack ?? error.message} what="the error" label="Copy error" />
        </Group>
      </div>
    );
  }
}

/** Isolates an error in one part of the window from the others. */
export const Boundary = (props: Props) => {
  const [address] = useLocation();
  return <AddressedBoundary {...props} address={address} />;
};
