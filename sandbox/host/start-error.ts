/** Reason the service can't start, with a remedy. */
export class StartError extends Error {
  readonly code: "port_taken" | "folder_in_use" | "folder_unusable" | "other_version" | "bad_option";

  constructor(code: StartError["code"], message: string) {
    super(message);
    this.name = "StartError";
    this.code = code;
  }
}
