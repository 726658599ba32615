import type { Names } from '../../base/lib/names.ts';
import { type CatalogEntry, isAvailable, isSimulated } from '../../settings/catalog/catalog.ts';
import { effortsOf } from '../../settings/catalog/efforts-of.ts';
import { endpointsOf } from '../../settings/catalog/endpoints-of.ts';
import { unlockedBy } from '../../settings/catalog/model-access.ts';
import type { Plan, Plans } from '../../settings/plans/plan.ts';
import { meteredView } from './metered-view.ts';
import { planCovers } from './plan-covers.ts';
import { hasConditions, pricesView, pricingFor, tokenPricesView } from './price-view.ts';

/** The caller that reads a model. Access depends on the plan. Rates depend on the payment mode. */
export type Viewer = {
  plan: Plan | null;
  payg: boolean;
  names: Names;
  plans: Plans;
  /** True if the operator lists models that cannot be called. */
  listsUnavailable: boolean;
  /** Unix milliseconds. */
  now: number;
};

/** Marks a model that cannot be called, or that the simulator answers for. */
export function stateView(entry: CatalogEntry) {
  if (!isAvailable(entry)) return { available: false } as const;
  return isSimulated(entry) ? ({ simulated: true } as const) : {};
}

/** Shows a model entry in the form of `/v1/models`. */
export function modelView(entry: CatalogEntry, { plan, payg, names, plans, now }: Viewer) {
  const { model, aliases, nativeWires } = entry;
  const pricing = pricingFor(model, payg);
  return {
    id: model.id,
    object: 'model' as const,
    created: model.created,
    owned_by: model.ownedBy,
    display_name: model.displayName,
    description: model.description,
    delivery: model.delivery,
    aliases,
    tier: model.tier,
    context_window: model.contextWindow,
    max_output: model.maxOutput,
    capabilities: model.capabilities,
    pricing_usd_per_mtok: tokenPricesView(pricing),
    supported_parameters: model.supportedParameters,
    native_wires: nativeWires,
    ...stateView(entry),
    ...(model.outputDimensions === null ? {} : { output_dimensions: model.outputDimensions }),
    [names.extension]: {
      reasoning_efforts: effortsOf(entry),
      endpoints: endpointsOf[model.kind],
      ...(model.meteredUsd && { metered_usd: meteredView(model.meteredUsd) }),
      ...(Object.keys(model.extrasUsd).length > 0 && { extras_usd: model.extrasUsd }),
      ...(hasConditions(pricing) && { prices: pricesView(pricing, now) }),
      access: {
        included: plan && planCovers(plan, model, plans),
        plan: plan?.id ?? null,
        unlocked_by: unlockedBy(model, plans),
        payg: true,
      },
    },
  };
}
