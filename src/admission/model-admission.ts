import type { Principal } from '../auth/principal.ts';
import type { CatalogEntry } from '../catalog/catalog.ts';
import { planIncludes, unlockedBy } from '../catalog/model-access.ts';
import { Refusal } from '../errors/refusal.ts';
import type { Snapshot } from '../snapshot.ts';
import type { PaymentMode } from './payment-mode.ts';

export type ModelQuestion = {
  principal: Principal;
  mode: PaymentMode;
  entry: CatalogEntry;
  snapshot: Snapshot;
};

/** Whether this caller may have this model, paying in this way. */
export function refuseModel({ principal, mode, entry, snapshot }: ModelQuestion): Refusal | undefined {
  const { model } = entry;
  if (mode === 'subscription' && !planIncludes(principal.plan, model, snapshot.plans)) {
    return model.plan === 'payg'
      ? new Refusal('payg_required', {
          message: `${model.id} runs in pay-as-you-go mode only: send ${snapshot.names.header.paymentMode}: payg.`,
        })
      : new Refusal('plan_upgrade_required', {
          message: upgradeMessage({ principal, mode, entry, snapshot }),
        });
  }
  const allowed = principal.apiKey.allowedModels;
  if (allowed && !allowed.includes(model.id)) {
    return new Refusal('permission_denied', { message: `This API key may not use ${model.id}.` });
  }
  return undefined;
}

function upgradeMessage({ principal, entry, snapshot }: ModelQuestion): string {
  const { plans, catalog } = snapshot;
  const cheapest = plans[unlockedBy(entry.model, plans)].displayName;
  const sentence = `${entry.model.id} is not in the ${principal.plan.displayName} plan; ${cheapest} is the cheapest that includes it.`;
  if (principal.plan.id !== 'free') return sentence;
  const usable = catalog.usable(
    ({ model }) => model.kind === 'chat' && planIncludes(principal.plan, model, plans),
  );
  return usable.length > 0 ? `${sentence} Models that you can use: ${usable.join(', ')}.` : sentence;
}
