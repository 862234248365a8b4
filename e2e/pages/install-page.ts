import { expect, type Locator, type Page } from "@playwright/test";

type Side = "buyer" | "supplier";

/** Failures of an install, as the place lists them. */
type InstallFailure =
  | "client_id matches no client"
  | "Client not enabled for OAuth"
  | "client_secret does not match"
  | "access_code unknown"
  | "access_code expired"
  | "access_code used before"
  | "Another client’s code";

/** Values of an install, read from the screen. */
interface InstalledValues {
  readonly api_key: string;
  readonly integration_id: string;
  readonly webhook_secret: string;
}

/** The place Install: consent, code, `integrations.insert`, a key; and every failure. */
export class InstallPage {
  readonly page: Page;
  /** Every failure with its response. */
  readonly failures: Locator;
  readonly credentials: Locator;
  #side: Side = "buyer";

  constructor(page: Page) {
    this.page = page;
    this.failures = page.getByRole("complementary", { name: "Ways it fails" });
    this.credentials = page.getByRole("table", { name: /^Credentials/ });
  }

  /** The install of the last chosen side. */
  get flow(): Locator {
    return this.page.getByRole("region", { name: `Install as ${this.#side}` });
  }

  /** Opens the place with a link's parameters. */
  async gotoFor(query: Readonly<Record<string, string>>): Promise<void> {
    await this.page.goto(`${new URL(this.page.url()).origin}/install?${new URLSearchParams(query)}`);
    await this.page.getByRole("heading", { level: 1, name: "Install" }).waitFor();
  }

  /** Opens the place through the rail. */
  async goto(): Promise<void> {
    const places = this.page.getByRole("navigation", { name: "Places" });
    await places.getByRole("link", { name: /^Install/ }).click();
    await this.page.getByRole("heading", { level: 1, name: "Install" }).waitFor();
  }

  async #show(side: Side, choice: "Buyer" | "Supplier"): Promise<void> {
    await this.page.getByRole("radiogroup", { name: "Install as" }).getByRole("radio", { name: choice }).click();
    this.#side = side;
    await this.flow.waitFor();
  }

  /** Installs for the buyer from now on. */
  async asRepairer(): Promise<void> {
    await this.#show("buyer", "Buyer");
  }

  /** Installs for a supplier from now on. */
  async asSupplier(): Promise<void> {
    await this.#show("supplier", "Supplier");
  }

  /** Gives consent, which issues a code. */
  async approve(): Promise<void> {
    await this.flow.getByRole("button", { name: /^Approve/ }).click();
    await this.expectCodeRunning();
  }

  /** Answers on the sandbox's own consent page, and returns with its parameters, as a partner's user. */
  async answerOnConsentPage(button: "Approve" | "Deny", organization?: string): Promise<void> {
    await this.flow.getByRole("button", { name: "Open consent page" }).click();
    await this.page.getByRole("heading", { name: /^Install .*\?$/ }).waitFor();
    if (organization !== undefined) await this.page.getByRole("radio", { name: organization }).check();
    await this.page.getByRole("button", { name: button }).click();
    await this.page.getByRole("heading", { level: 1, name: "Install" }).waitFor();
  }

  async expectCodeRunning(): Promise<void> {
    await this.flow.getByText("code active", { exact: true }).waitFor();
  }

  /** Lets the current code expire by moving the world's clock. */
  async letCodeRunOut(): Promise<void> {
    await this.flow.getByRole("button", { name: "Let it expire" }).click();
    await this.flow.getByText("code expired", { exact: true }).waitFor();
  }

  /** Sends `integrations.insert` with the code. */
  async install(): Promise<void> {
    await this.flow.getByRole("button", { name: /^Install(?! again)/ }).click();
  }

  async expectInstalled(): Promise<void> {
    await this.flow.getByText("installed", { exact: true }).waitFor();
  }

  /** Expects the install's refusal, shown in place. */
  async expectRefused(status: number, code: string): Promise<void> {
    const refusal = this.flow.getByRole("alert");
    await expect(refusal).toContainText(String(status));
    await expect(refusal).toContainText(code);
  }

  /** Returns key, integration and secret, which are shown once. */
  async readValues(): Promise<InstalledValues> {
    const value = (name: string) =>
      this.flow
        .locator("dl")
        .locator("div")
        .filter({ has: this.page.getByText(name, { exact: true }) })
        .locator("dd")
        .first()
        .innerText();
    return {
      api_key: await value("api_key"),
      integration_id: await value("integration_id"),
      webhook_secret: await value("webhook secret"),
    };
  }

  /** Closes the display of the key, which is masked afterwards. */
  async keep(): Promise<void> {
    const done = this.flow.getByRole("button", { name: "Done" });
    await done.click();
    await expect(done).toBeHidden();
  }

  /** The main step after an install. */
  get subscribeBothSides(): Locator {
    return this.flow.getByRole("button", { name: /^Subscribe both sides/ });
  }

  async subscribe(): Promise<void> {
    await this.subscribeBothSides.click();
    await expect(this.subscribeBothSides).toBeHidden();
  }

  /** Installs, and subscribes the integration. */
  async installAndSubscribe(): Promise<InstalledValues> {
    await this.approve();
    await this.install();
    await this.expectInstalled();
    const values = await this.readValues();
    await this.subscribe();
    return values;
  }

  #failure(failure: InstallFailure): Locator {
    return this.failures.getByRole("listitem").filter({ has: this.page.getByRole("heading", { name: failure }) });
  }

  /** Causes a failure. */
  async tryFailure(failure: InstallFailure): Promise<void> {
    await this.#failure(failure)
      .getByRole("button", { name: new RegExp(`^(Try|Again) ${failure}$`) })
      .click();
  }

  /** Expects the response to a failure. */
  async expectFailure(failure: InstallFailure, status: number, code: string): Promise<void> {
    const row = this.#failure(failure);
    await row.getByText(/^Tried /).waitFor();
    await expect(row).toBeInViewport({ ratio: 1 });
    await row.getByText(String(status), { exact: true }).waitFor();
    await expect(row).toContainText(code);
    await expect(row.getByText("unexpected")).toBeHidden();
  }

  async expectCredentials(count: number): Promise<void> {
    await expect(this.credentials.getByRole("row")).toHaveCount(count + 1);
  }

  /** A credential in the list, by its scope and a part of its key. */
  credential(scope: "repairer" | "supplier", keyHint: string): Locator {
    return this.credentials.getByRole("row").filter({ hasText: keyHint }).filter({ hasText: scope });
  }

  /** Expects the credential of this window's calls with a scope. */
  async expectInUse(scope: "repairer" | "supplier", keyHint: string): Promise<void> {
    await this.credential(scope, keyHint).getByText("in use", { exact: true }).waitFor();
  }

  /** Chooses another credential for this window's calls. */
  async use(scope: "repairer" | "supplier", keyHint: string): Promise<void> {
    await this.credential(scope, keyHint).getByRole("button", { name: /^Use / }).click();
    await this.expectInUse(scope, keyHint);
  }
}
