/**
 * Why the service answers a call that does not move a procurement as it does, and what to do instead, for someone who
 * did not expect the answer.
 */
export const explanations = {
  again:
    "Nothing was changed and nobody was told: a program that lost the first answer may safely send the confirm again. This world could refuse it instead.",
  again_rejected:
    "This world’s policy confirm_when_confirmed rejects a repeated confirm. Read the procurement to see whether the first one arrived.",
  cancelled:
    "Nothing leads out of cancelled, and which answer a late confirm gets is a policy of this world. The buyer places the offers again instead.",
  cancel_confirmed:
    "Only a requested order can be cancelled. order_confirmed is the last state of the contract; undoing a confirmed order belongs to people, not to this interface.",
  cancel_again: "It is cancelled already. Unlike a confirm, a repeated cancel is refused; read the procurement first.",
  cancel_stranger:
    "The key is good and cancel takes either scope, but this organization neither buys nor sells here. What belongs to others is not_found, never forbidden, so that nobody learns what exists.",
  buyer_key:
    "The key is known, so it is not unauthorized. But it has scope repairer, and supplier operations take scope supplier: send the supplier’s key with the supplier’s integration id.",
  other_supplier:
    "Key and scope are right, the order is another supplier’s. What belongs to others is not_found, never forbidden, so that nobody learns what exists. Check which integration’s key is sent.",
  no_key:
    "Authorization and Service-Integration-ID come before everything else; without them the body is not even looked at. A key without the word Bearer, or with another integration’s id, is answered the same.",
} as const;
