import { Component, type ErrorInfo, type ReactNode } from "react";
import { Button } from "../../components/button.tsx";
import { CopyButton } from "../../components/copy-button.tsx";

interface Props {
  readonly title: string;
  readonly children: ReactNode;
}

/** Keeps a fault of one place from taking the frame and the other places with it. */
export class PlaceBoundary extends Component<Props, { error: Error | null }> {
  override state: { error: Error | null } = { error: null };

  static getDerivedStateFromError(error: unknown): { error: Error } {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    console.error(`${this.props.title} failed to draw`, error, info.componentStack);
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (!error) return this.props.children;
    return (
      <div className="failing" role="alert">
        <h1>{this.props.title} stopped drawing</h1>
        <span className="t12">{error.message}</span>
        <span className="t12 t2">Nothing in the world was changed by this. The rest of the explorer goes on.</span>
        <span className="row">
          <Button small onClick={() => this.setState({ error: null })}>
            Draw it again
          </Button>
          <CopyButton text={error.stack ?? error.message} what="the error" label="Copy the error" />
        </span>
      </div>
    );
  }
}
