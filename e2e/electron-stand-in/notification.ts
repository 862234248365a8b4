import { refuseUnknownOptions, StrictEmitter, strict } from "./not-stood-in.ts";

interface NotificationOptions {
  readonly title: string;
  readonly body: string;
}

/** An invisible notification: its text goes to standard error; a test clicks it by its event. */
class Notification extends StrictEmitter {
  readonly title: string;
  readonly body: string;

  static isSupported(): boolean {
    return true;
  }

  constructor(options: NotificationOptions) {
    super("Notification", ["click"]);
    refuseUnknownOptions("Notification", options, ["title", "body"]);
    this.title = options.title;
    this.body = options.body;
  }

  show(): void {
    console.error(`[notification] ${this.title}: ${this.body}`);
  }

  close(): void {}
}

const strictNotification = strict("Notification", Notification);

export { strictNotification as Notification };
