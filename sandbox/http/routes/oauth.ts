import type { FastifyInstance, FastifyReply } from "fastify";
import { issueAccessCode } from "../../oauth/access-codes.ts";
import { type AuthorizationRequest, judgeAuthorization, redirectWith } from "../../oauth/authorization.ts";
import { consentPage, problemPage } from "../../oauth/consent-page.ts";
import { DEFAULT_WORLD, isWorldName } from "../../rules/world-name.ts";
import type { AppServices } from "../app-services.ts";
import { worldNameOf } from "../callers.ts";

/** How long the consent page can be answered. */
const CONSENT_LIFETIME_MS = 60 * 60_000;

const sendPage = (reply: FastifyReply, status: number, html: string, redirectOrigin: string | null): FastifyReply =>
  reply
    .code(status)
    .headers({
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      // With none at all the form's own Origin would be null, as that of a page of nowhere is (D90).
      "referrer-policy": "same-origin",
      // A form's redirect counts as its action: the app's own address must be named.
      "content-security-policy": `default-src 'none'; style-src 'unsafe-inline'; form-action 'self'${redirectOrigin ? ` ${redirectOrigin}` : ""}; frame-ancestors 'none'; base-uri 'none'`,
    })
    .send(html);

/** @param tenant the world of a script that sends the header; a browser names it in the address */
const requestOf = (fields: URLSearchParams, tenant = DEFAULT_WORLD): AuthorizationRequest => ({
  clientId: fields.get("client_id") ?? "",
  redirectUri: fields.get("redirect_uri") ?? "",
  state: fields.get("state"),
  world: fields.get("world") ?? tenant,
});

/** What a proof vouches for: that this very request was shown to a person on our own page. */
const proven = (request: AuthorizationRequest): string =>
  JSON.stringify([request.clientId, request.redirectUri, request.state, request.world]);

/** `GET /__oauth/authorize`: the consent page a partner's app sends a browser to, and its answer (D21). */
export const oauthRoutes = (app: FastifyInstance, services: AppServices): void => {
  const { signer } = services.uploads;
  const refuseOnPage = (reply: FastifyReply, status: number, problem: string, advice: string): FastifyReply =>
    sendPage(reply, status, problemPage(problem, advice), null);

  const judge = (request: AuthorizationRequest) =>
    isWorldName(request.world)
      ? services.worlds.forCall(
          request.world,
          () => false,
          (world) => judgeAuthorization(request, world, services.redirects),
        )
      : { problem: "The world is no name of a world.", advice: "Use 1 to 64 of A–Z a–z 0–9 . _ -" };

  app.get("/__oauth/authorize", (request, reply) => {
    const asked = requestOf(new URL(request.url, "http://localhost").searchParams, worldNameOf(request));
    const judged = judge(asked);
    if ("problem" in judged) return refuseOnPage(reply, 400, judged.problem, judged.advice);
    const expires = Date.now() + CONSENT_LIFETIME_MS;
    const proof = `${expires}.${signer.sign(proven(asked), expires)}`;
    return sendPage(reply, 200, consentPage(asked, judged.client, judged.choices, proof), judged.redirect.origin);
  });

  app.post("/__oauth/authorize", async (request, reply) => {
    const fields = new URLSearchParams(Buffer.isBuffer(request.body) ? request.body.toString("utf8") : "");
    const asked = requestOf(fields);
    const judged = judge(asked);
    if ("problem" in judged) return refuseOnPage(reply, 400, judged.problem, judged.advice);
    const [expires = "", signature = ""] = (fields.get("proof") ?? "").split(".");
    if (!(signer.verify(proven(asked), Number(expires), signature) && Number(expires) > Date.now())) {
      return refuseOnPage(
        reply,
        403,
        "This answer does not come from the consent page.",
        "Open the app's install address again and answer there.",
      );
    }
    if (fields.get("decision") !== "approve") {
      return reply.redirect(redirectWith(judged.redirect, { error: "access_denied" }, asked.state), 303);
    }
    const choice = judged.choices.find((one) => one.organization.id === fields.get("organization_id"));
    if (!choice) return refuseOnPage(reply, 400, "No organization was chosen.", "Go back and choose one.");
    const { code } = await services.worlds.use(asked.world, (world) =>
      issueAccessCode(world, {
        client_id: judged.client.client_id,
        organization_id: choice.organization.id,
        scope: choice.scope,
      }),
    );
    return reply.redirect(redirectWith(judged.redirect, { code }, asked.state), 303);
  });
};
