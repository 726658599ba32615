import type { Exchange } from '../../edge/http/exchange.ts';
import type { ExtraRates } from '../../money/ledger/extra-rates.ts';
import { type MeteredRates, meteredRatesOf } from '../../money/ledger/metered-rates.ts';
import type { RatesInRows } from '../../money/ledger/rate-row.ts';
import type { AdmittedPrices, UsagePrices } from '../../money/ledger/usage-prices.ts';
import type { CatalogEntry } from '../../settings/catalog/catalog.ts';
import { findUpstreamModel } from '../../settings/catalog/find-upstream-model.ts';
import type { AskedExtras, InferenceRequest } from '../../translation/contract/inference-request.ts';
import type { Trail } from '../../upstream/routing/trail.ts';
import { extrasAt, fallbackFactors } from '../admission/extras-at.ts';
import { modeRates } from '../admission/hold-credit.ts';
import type { RateQuestion } from '../admission/rate-question.ts';

export type PricingParts = {
  exchange: Pick<Exchange, 'snapshot'>;
  /** The requested model. */
  entry: CatalogEntry;
  trail: Pick<Trail, 'provider'>;
  request: Pick<InferenceRequest, 'extras'>;
  rating: RateQuestion;
  /** The prices of an earlier admission. They apply in place of those of the catalog. */
  admitted?: AdmittedPrices | undefined;
};

/** The prices of everything beyond the three rates. They are read only for an answer with such usage. */
export type DetailPrices = Pick<UsagePrices, 'asked' | 'certain'> & {
  /** The request asked for something that an upstream may not report. */
  isAsked: boolean;
  extrasOf(servedModel: string): ExtraRates;
  /** The prices of a metered endpoint. */
  meteredOf(servedModel: string): MeteredRates | undefined;
  /** Returns what a later settlement of the request needs. */
  admitted(model: string): Omit<AdmittedPrices, 'rows'>;
  otherModel(upstreamModel: string, servedModel: string): ReturnType<UsagePrices['otherModel']>;
};

const NOTHING_ASKED: AskedExtras = { priced: [], certain: {} };

export function detailPrices(parts: PricingParts): DetailPrices {
  const { exchange, entry, trail, request, rating, admitted } = parts;
  const { priced, certain } = request.extras ?? NOTHING_ASKED;
  const told = admitted ?? { asked: priced, certain };
  const extrasOf = (servedModel: string): ExtraRates => {
    if (admitted) return admitted.extras;
    const { model } = exchange.snapshot.catalog.find(servedModel) ?? entry;
    return extrasAt({ ...model, extrasUsd: { ...entry.model.extrasUsd, ...model.extrasUsd } }, rating);
  };
  const meteredOf = (servedModel: string): MeteredRates | undefined => {
    const prices = exchange.snapshot.catalog.find(servedModel)?.model.meteredUsd ?? entry.model.meteredUsd;
    return prices ? meteredRatesOf(prices) : undefined;
  };
  return {
    asked: told.asked,
    certain: told.certain,
    isAsked: told.asked.length > 0,
    extrasOf,
    meteredOf,
    admitted: (model) => ({ asked: told.asked, certain: told.certain, extras: extrasOf(model) }),
    otherModel(upstreamModel, servedModel) {
      const { catalog } = exchange.snapshot;
      const listed = findUpstreamModel(upstreamModel, catalog, trail.provider);
      const other = listed ?? catalog.consulted(upstreamModel);
      if (other === undefined || other.model.id === servedModel) return undefined;
      return {
        id: other.model.id,
        rates: modeRates(other, rating),
        extras: { factors: fallbackFactors(other.model, entry.model) },
      };
    },
  };
}

/** Returns the prices of a usage at the rates of one model. */
export const pricesAt = (
  { asked, certain, extrasOf, meteredOf, otherModel }: DetailPrices,
  model: string,
  rates: RatesInRows,
): UsagePrices => ({
  rates,
  asked,
  certain,
  extras: extrasOf(model),
  metered: meteredOf(model),
  otherModel: (upstreamModel) => otherModel(upstreamModel, model),
});
