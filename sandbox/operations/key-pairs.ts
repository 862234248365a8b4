import { type RefusalReason, sentence } from "../contract/errors.ts";
import { DEFAULT_WORLD } from "../rules/worlds/world-name.ts";
import { keyPrefixes } from "../secrets/keys.ts";
import type { CredentialRow } from "../storage/credentials-store.ts";
import type { World } from "../worlds/world.ts";
import { describeSimilar } from "./likely-mistakes.ts";
import {
  addLoss,
  advise,
  describeTenant,
  findBeginning,
  findLaterBeginning,
  findOrganizationName,
  hasIssued,
  isLately,
  possessive,
  type RefusedCall,
  refine,
  refineFromBefore,
} from "./refused-call.ts";

/** @param named world that the call names */
export const describeOtherWorld = (world: string, named: string): string =>
  `The integration ID belongs to world ${world}.${named === DEFAULT_WORLD ? ` ${describeTenant(named)}` : ""}`;

const sendId = (id: string): string => `Send \`Service-Integration-ID: ${id}\` with this key.`;
const sendKeyOf = (id: string): string => `Send the key that was issued with \`${id}\`.`;
const sendTo = (world: string): string =>
  world === DEFAULT_WORLD ? "send the call without `x-sandbox-tenant`" : `send \`x-sandbox-tenant: ${world}\``;
const orCall = (world: string, how: string): string =>
  ` If the call is meant for world ${world}, ${sendTo(world)}, ${how}.`;
const insteadCall = (world: string, how: string): string => sentence(`${sendTo(world)}, ${how}`);

/** Another world that has a key, as the place where a refusal's reason lies. */
export const findKeyElsewhere = (
  key: string,
  findOtherWorld: RefusedCall["findOtherWorld"],
): RefusalReason["elsewhere"] => {
  const world = findOtherWorld?.(({ stores }) => stores.credentials.findByKey(key) !== undefined);
  return world === undefined ? undefined : { world, fact: `The key belongs to world ${world}.` };
};

/** A key and an integration ID, with the credentials of this world that have one of them. */
interface Pair {
  readonly key: string;
  readonly id: string;
  readonly ofKey: CredentialRow | undefined;
  readonly ofId: CredentialRow | undefined;
}

const explainTwo = (why: RefusalReason, world: World, ofKey: CredentialRow, ofId: CredentialRow): RefusalReason => {
  if (ofKey.integration_id === ofId.integration_id)
    return refine(
      why,
      "key_nearly",
      "The key is right but for a character that isn’t shown, such as a byte order mark.",
    );
  const [keyOwner, idOwner] = [ofKey, ofId].map(({ organization_id }) => findOrganizationName(world, organization_id));
  const fact =
    ofId.organization_id === ofKey.organization_id
      ? `The key and the integration ID are of two installations of ${idOwner}.`
      : `The key is ${possessive(keyOwner ?? "")}; the integration ID is ${possessive(idOwner ?? "")}.`;
  const { integration_id } = ofId;
  return advise(
    refine(why, "keys_differ", fact),
    `${sendId(ofKey.integration_id)} Or send the key that was issued with \`${integration_id}\`.`,
  );
};

/** Explains a pair by what this world knows of it. */
const explainHere = (
  why: RefusalReason,
  { world, findOrigin }: RefusedCall,
  { key, id, ofKey, ofId }: Pair,
): RefusalReason => {
  const owner = ofKey ?? ofId;
  const named = owner && possessive(findOrganizationName(world, owner.organization_id));
  if (ofId) {
    const beginning = findBeginning(world, findOrigin);
    const isLost = beginning.side.side !== undefined && isLately(beginning) && key.startsWith(keyPrefixes.installed);
    const lost = isLost
      ? `, which was ${beginning.how} ${beginning.ago} before this call. Keys from before don’t work any more.`
      : ".";
    const fact = `The integration ID is ${named}, but the key is not its key in this world${lost}`;
    return advise(refine(why, "credentials", fact), sendKeyOf(id));
  }
  const later = findLaterBeginning(world, id, findOrigin);
  if (ofKey) {
    const unknown = later?.side.side
      ? `the integration ID is from before the world was ${later.how}, ${later.ago} before this call.`
      : "no integration has this ID in this world.";
    return advise(refine(why, "credentials", `The key is ${named}, but ${unknown}`), sendId(ofKey.integration_id));
  }
  return later === null ? why : refineFromBefore(why, "key_from_before", "The key", world, later);
};

/** Explains credentials of which another world has both. */
const explainPairElsewhere = (
  why: RefusalReason,
  { world, named }: RefusedCall,
  { id }: Pair,
  other: World,
  isPreloaded: boolean,
): RefusalReason => {
  const { name } = other;
  if (why.side !== undefined && !hasIssued(other, id))
    return { ...why, elsewhere: { world: name, fact: `World ${name} has a copy of it.`, beside: true } };
  const { cause, pointers } = why;
  const moved = { cause: cause === "key_from_before" ? "credentials" : cause, pointers };
  if (!isPreloaded) return { ...moved, elsewhere: { world: name, fact: describeOtherWorld(name, named) } };
  const isCopy = findBeginning(world).how === "copied";
  const fact = `The key and the integration ID are world ${name}’s own. ${isCopy ? `World ${world.name} is a copy, and a copy has the service’s keys.` : describeTenant(named)}`;
  const remedy = `Send keys that work in world ${world.name}: \`credentials.list\` lists them.${orCall(name, "with these keys")}`;
  return { ...moved, elsewhere: { world: name, fact, ...(isCopy ? { remedy } : {}) } };
};

/** A credential and the world that has it. */
interface Holder {
  readonly other: World;
  readonly row: CredentialRow;
}

/** Other worlds that have both, or one, of a key and an integration ID which this world doesn't have. */
interface Holders {
  readonly ofBoth?: Holder;
  readonly ofId?: Holder;
  readonly ofKey?: Holder;
}

const findHolders = ({ findOtherWorld }: RefusedCall, { key, id, ofKey, ofId }: Pair): Holders => {
  let found: Holders = {};
  // One pass, because strangers can cause it.
  findOtherWorld?.((other) => {
    const { credentials } = other.stores;
    const byId = credentials.findByIntegration(id);
    if (byId?.api_key === key) found = { ofBoth: { other, row: byId } };
    else if (byId && !ofId && !found.ofId) found = { ...found, ofId: { other, row: byId } };
    const byKey = ofKey || found.ofBoth || found.ofKey ? undefined : credentials.findByKey(key);
    if (byKey) found = { ...found, ofKey: { other, row: byKey } };
    return found.ofBoth !== undefined;
  });
  return found;
};

/** Adds the other worlds that have the key or the integration ID, though not as a pair. */
const addHolders = (
  why: RefusalReason,
  { named }: RefusedCall,
  { key, id, ofKey, ofId }: Pair,
  holders: Holders,
): RefusalReason => {
  const [ofIdWorld, there] = [holders.ofId?.other.name, holders.ofId?.row];
  const [ofKeyWorld, holder] = [holders.ofKey?.other.name, holders.ofKey?.row];
  const beside = (world: string, fact: string, remedy?: string): RefusalReason => ({
    ...why,
    elsewhere: { world, fact, beside: true, ...(remedy === undefined ? {} : { remedy }) },
  });
  if (ofIdWorld !== undefined && ofKeyWorld !== undefined)
    return beside(
      ofIdWorld,
      ofIdWorld === ofKeyWorld
        ? `Both are of world ${ofIdWorld}, but of two installations.`
        : `The integration ID is of world ${ofIdWorld}; the key is of world ${ofKeyWorld}.`,
      "Send the key and the integration ID of one installation, and name its world in `x-sandbox-tenant`.",
    );
  if (ofIdWorld !== undefined && ofKey)
    return beside(
      ofIdWorld,
      `World ${ofIdWorld} has an integration with this ID and another key.`,
      `${sendId(ofKey.integration_id)}${orCall(ofIdWorld, `with the key that was issued with \`${id}\``)}`,
    );
  if (ofIdWorld !== undefined) {
    const nearly = there && describeSimilar(key, [there.api_key]);
    const fact = `${describeOtherWorld(ofIdWorld, named)} The key is ${nearly ? nearly : "not its key there"}.`;
    if (why.side !== undefined) return beside(ofIdWorld, fact);
    const remedy = insteadCall(ofIdWorld, `with the key that was issued with \`${id}\``);
    return { cause: "credentials", pointers: why.pointers, elsewhere: { world: ofIdWorld, fact, remedy } };
  }
  if (ofKeyWorld === undefined || !holder) return why;
  const withId = `with \`Service-Integration-ID: ${holder.integration_id}\` and this key`;
  return ofId || why.side !== undefined
    ? beside(
        ofKeyWorld,
        `The key is of world ${ofKeyWorld}.`,
        `${why.remedy ?? ""}${orCall(ofKeyWorld, withId)}`.trim(),
      )
    : {
        ...{ cause: "credentials", pointers: why.pointers },
        elsewhere: {
          world: ofKeyWorld,
          fact: `The key belongs to world ${ofKeyWorld}. No integration there has this ID.`,
          remedy: insteadCall(ofKeyWorld, withId),
        },
      };
};

const LOST_KEY =
  "If the key was issued in world {world}, install again there for a new key and ID, and send `x-sandbox-tenant: {world}` with the call. Else send the key and the ID of the same installation.";

/** Explains a key and an integration ID that are no pair in this world: by what it knows, then by what others do. */
export const explainPair = (why: RefusalReason, call: RefusedCall, key: string, id: string): RefusalReason => {
  const { world, findServiceKeys, mayBeElsewhere } = call;
  const { credentials } = world.stores;
  const [ofKey, ofId] = [credentials.findByKey(key), credentials.findByIntegration(id)];
  if (ofKey && ofId) return explainTwo(why, world, ofKey, ofId);
  const nearly = ofId && describeSimilar(key, [ofId.api_key]);
  if (nearly) return refine(why, "key_nearly", `The key is ${nearly}.`);
  const nearlyId = ofKey && describeSimilar(id, [ofKey.integration_id]);
  if (ofKey && nearlyId)
    return advise(refine(why, "credentials", `The integration ID is ${nearlyId}.`), sendId(ofKey.integration_id));
  const ofService = Object.values(findServiceKeys?.()?.credentials ?? {});
  if (ofService.some(({ api_key, integration_id }) => api_key === key || integration_id === id))
    return advise(
      refine(
        why,
        "credentials",
        "This world has its own keys. The service’s keys, which the call sent, don’t open it.",
      ),
      "Send a key and an integration ID of this world: `credentials.list` lists them, with their keys if `reveal` is true.",
    );
  const pair: Pair = { key, id, ofKey, ofId };
  const told = explainHere(why, call, pair);
  const holders = findHolders(call, pair);
  const { ofBoth } = holders;
  if (ofBoth) return explainPairElsewhere(told, call, pair, ofBoth.other, ofBoth.row.preloaded);
  const added = addHolders(told, call, pair, holders);
  // The ID may be in a closed world, or at another node.
  if (mayBeElsewhere?.(id)) return added.cause === "key_from_before" && !added.elsewhere ? why : added;
  return addLoss(added, id, call, LOST_KEY);
};
