import { Refusal } from '../../base/errors/refusal.ts';
import type { PaymentMode } from '../../money/auth/payment-mode.ts';
import type { Principal } from '../../money/auth/principal.ts';
import type { CatalogEntry } from '../../settings/catalog/catalog.ts';
import { planIncludes, unlockedBy } from '../../settings/catalog/model-access.ts';
import type { Snapshot } from '../../settings/snapshot/snapshot.ts';

/** A caller with its payment mode, and the model that it wants to use. */
export type ModelQuestion = {
  principal: Principal;
  mode: PaymentMode;
  entry: CatalogEntry;
  snapshot: Snapshot;
};

/** A key and the model that it asks for. */
type KeyQuestion = { principal: Principal; entry: CatalogEntry };

const isPaidFor = ({ principal, mode, entry, snapshot }: ModelQuestion): boolean =>
  mode === 'payg' || planIncludes(principal.plan, entry.model, snapshot.plans);

const isAllowed = ({ principal, entry }: KeyQuestion): boolean =>
  principal.apiKey.allowedModels?.includes(entry.model.id) ?? true;

const mustVerify = ({ principal, snapshot }: ModelQuestion): boolean =>
  snapshot.config.auth.require_verified_email &&
  principal.account.plan === 'free' &&
  !principal.account.emailVerified;

/** Refuses the request if the account's plan and payment mode do not include the model. */
export function refusePlan(question: ModelQuestion): Refusal | undefined {
  const { model } = question.entry;
  if (mustVerify(question)) return new Refusal('verification_required');
  if (isPaidFor(question)) return undefined;
  const { paymentMode } = question.snapshot.names.header;
  return model.plan === 'payg'
    ? new Refusal('payg_required', {
        message: `${model.id} runs in pay-as-you-go mode only: send ${paymentMode}: payg.`,
      })
    : new Refusal('plan_upgrade_required', { message: upgradeMessage(question) });
}

/** Refuses the request if the key's own list does not include the model. */
export const refuseUnlisted = (question: KeyQuestion): Refusal | undefined =>
  isAllowed(question)
    ? undefined
    : new Refusal('permission_denied', {
        message: `This API key may not use ${question.entry.model.id}.`,
      });

/** Refuses the request if the plan, the payment mode or the key excludes the model. */
export const refuseModel = (question: ModelQuestion): Refusal | undefined =>
  refusePlan(question) ?? refuseUnlisted(question);

function upgradeMessage(question: ModelQuestion): string {
  const { principal, entry, snapshot } = question;
  const cheapest = snapshot.plans[unlockedBy(entry.model, snapshot.plans)].displayName;
  const { displayName, id } = principal.plan;
  const sentence = `${entry.model.id} is not in the ${displayName} plan; ${cheapest} is the cheapest that includes it.`;
  return id === 'free' ? sentence + suggestModels(question) : sentence;
}

/**
 * Returns a sentence that names models of the same kind that this caller can use, or '' if there are none.
 */
export function suggestModels(question: ModelQuestion): string {
  const usable = question.snapshot.catalog.usableIds(
    (entry) =>
      entry.model.kind === question.entry.model.kind &&
      isPaidFor({ ...question, entry }) &&
      isAllowed({ ...question, entry }),
  );
  return usable.length > 0 ? ` Models that you can use: ${usable.join(', ')}.` : '';
}
