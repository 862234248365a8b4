import { randomUUID } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { AppServices } from "../../app-services.ts";
import { errorCodes, Refusal } from "../../contract/errors.ts";
import { issueAccessCode } from "../../oauth/access-codes.ts";
import {
  type AuthorizationRequest,
  type ConsentProblem,
  consentProblem,
  createRedirect,
  evaluateAuthorization,
} from "../../oauth/authorization.ts";
import { consentPage, problemPage } from "../../oauth/consent-page.ts";
import { DEFAULT_WORLD, isWorldName } from "../../rules/worlds/world-name.ts";
import { sameSecret } from "../../secrets/keys.ts";
import { realTime } from "../../storage/real-time.ts";
import type { UploadSigner } from "../../uploads/upload-signature.ts";
import { requestedWorld } from "../callers.ts";
import { beginLinkCall, noteRefusal } from "../link-calls.ts";

/** Time to respond to the consent page, in milliseconds. */
const CONSENT_LIFETIME_MS = 60 * 60_000;
/** Responses remembered, far more than people give in that time. */
const MAX_USED_PAGES = 10_000;

const sendPage = (reply: FastifyReply, status: number, html: string, redirectOrigin: string | null): FastifyReply =>
  reply
    .code(status)
    .headers({
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      // Without a referrer the form's Origin would be null, which looks like a foreign page (D90).
      "referrer-policy": "same-origin",
      // A form's redirect counts as its action, so the app's address must be listed.
      "content-security-policy": `default-src 'none'; style-src 'unsafe-inline'; form-action 'self'${redirectOrigin ? ` ${redirectOrigin}` : ""}; frame-ancestors 'none'; base-uri 'none'`,
    })
    .send(html);

/** @param tenant world from the header that scripts send; browsers name it in the address */
const parseRequest = (fields: URLSearchParams, tenant = DEFAULT_WORLD): AuthorizationRequest => ({
  clientId: fields.get("client_id") ?? "",
  redirectUri: fields.get("redirect_uri") ?? "",
  state: fields.get("state"),
  world: fields.get("world") ?? tenant,
  names: [...fields.keys()],
});

/**
 * Proofs that a request was shown to a person on our page. Each is valid once.
 *
 * Used proofs are kept in memory only, so a page from before a restart can be submitted once more.
 */
class Proofs {
  readonly #signer: UploadSigner;
  readonly #usedPages = new Set<string>();

  constructor(signer: UploadSigner) {
    this.#signer = signer;
  }

  #sign({ clientId, redirectUri, state, world }: AuthorizationRequest, page: string, expiresAt: number): string {
    return this.#signer.sign(JSON.stringify([clientId, redirectUri, state, world, page]), expiresAt);
  }

  create(request: AuthorizationRequest): string {
    const page = randomUUID();
    const expiresAt = realTime() + CONSENT_LIFETIME_MS;
    return `${expiresAt}.${page}.${this.#sign(request, page, expiresAt)}`;
  }

  /** Checks a proof for this request and uses it up. */
  use(request: AuthorizationRequest, proof: string): boolean {
    const [given, page = "", signature = ""] = proof.split(".", 3);
    const expiresAt = Number(given);
    const isGood = sameSecret(signature, this.#sign(request, page, expiresAt)) && expiresAt > realTime();
    if (!isGood || this.#usedPages.has(page)) return false;
    this.#usedPages.add(page);
    for (const oldest of this.#usedPages) if (this.#usedPages.size > MAX_USED_PAGES) this.#usedPages.delete(oldest);
    return true;
  }
}

/** `GET /__oauth/authorize`: consent page for a partner's app, and its submission (D21). */
export const oauthRoutes = (app: FastifyInstance, services: AppServices): void => {
  const proofs = new Proofs(services.uploads.signer);
  /** Shows a problem on the page. Locally it is on record too; deployed, strangers come here. */
  const refuseOnPage = (
    request: FastifyRequest,
    reply: FastifyReply,
    { world }: AuthorizationRequest,
    { problem, advice, refusal }: ConsentProblem,
  ): FastifyReply => {
    beginLinkCall(request, services, "oauth.authorize", isWorldName(world) ? world : DEFAULT_WORLD, false);
    noteRefusal(request, refusal);
    return sendPage(reply, errorCodes[refusal.code].status, problemPage(problem, advice), null);
  };

  const evaluate = (request: AuthorizationRequest) => {
    const { mode, worlds, redirects } = services;
    if (!isWorldName(request.world))
      return consentProblem("consent_world", "The world name is invalid.", "Use 1 to 64 of A–Z a–z 0–9 . _ -");
    // D85: on a deployed sandbox, strangers reach this page, and approving would create the world.
    if (mode === "deployed" && request.world !== DEFAULT_WORLD && !worlds.has(request.world))
      return consentProblem(
        "consent_world",
        "This world doesn’t exist.",
        "Check the world in the install address, or ask the operator of this sandbox to create it.",
        "This world doesn’t exist.",
      );
    return worlds.forCall(
      request.world,
      () => false,
      (world) => evaluateAuthorization(request, world, redirects),
    );
  };

  app.get("/__oauth/authorize", (request, reply) => {
    const authorization = parseRequest(new URL(request.url, "http://localhost").searchParams, requestedWorld(request));
    const verdict = evaluate(authorization);
    if ("problem" in verdict) return refuseOnPage(request, reply, authorization, verdict);
    const page = consentPage(authorization, verdict.client, verdict.choices, proofs.create(authorization));
    return sendPage(reply, 200, page, verdict.redirect.origin);
  });

  app.post("/__oauth/authorize", async (request, reply) => {
    const fields = new URLSearchParams(Buffer.isBuffer(request.body) ? request.body.toString("utf8") : "");
    const authorization = parseRequest(fields);
    const verdict = evaluate(authorization);
    const refuseChoice = (...problem: Parameters<typeof consentProblem>): FastifyReply =>
      refuseOnPage(request, reply, authorization, consentProblem(...problem));
    if ("problem" in verdict) return refuseOnPage(request, reply, authorization, verdict);
    const isApproved = fields.get("decision") === "approve";
    const choice = verdict.choices.find((one) => one.organization.id === fields.get("organization_id"));
    if (isApproved && !choice)
      return refuseChoice("consent_no_choice", "No organization was chosen.", "Go back and choose one.");
    if (!proofs.use(authorization, fields.get("proof") ?? ""))
      return refuseChoice(
        "consent_repeated",
        "This choice didn’t come from the consent page, or was already sent.",
        "Open the app’s install address again.",
      );
    if (!isApproved || !choice) {
      return reply.redirect(createRedirect(verdict.redirect, { error: "access_denied" }, authorization.state), 303);
    }
    const { organization, scope } = choice;
    const grant = { client_id: verdict.client.client_id, organization_id: organization.id, scope };
    const issued = await services.worlds.use(authorization.world, (world) =>
      issueAccessCode(world, grant, services.quotas.accessCodes),
    );
    if (issued instanceof Refusal)
      return refuseChoice(
        "consent_too_many_codes",
        "This organization has too many unused access codes.",
        `${issued.message}. Then open the app’s install address again.`,
        issued.message ?? null,
      );
    return reply.redirect(createRedirect(verdict.redirect, { code: issued.code }, authorization.state), 303);
  });
};
