import type { CallPrice, PriceName } from '../../translation/canonical/price-name.ts';
import type { ExtraRates } from './extra-rates.ts';
import type { MeteredRates } from './metered-rates.ts';
import type { RatesInRows } from './rate-row.ts';

/** The prices at which the usage of one request is charged. */
export type UsagePrices = {
  rates: RatesInRows;
  extras: ExtraRates;
  /** The prices of a metered endpoint. */
  metered?: MeteredRates | undefined;
  /**
   * The prices that the request asked for.
   * A more expensive way to be served is charged only to a request that asked for it.
   */
  asked: readonly PriceName[];
  /** Calls that the request makes without fail, for upstreams that do not count them. */
  certain: Readonly<Partial<Record<CallPrice, number>>>;
  /** Returns the model that has this name at the upstream, unless it is the one that served. */
  otherModel(upstreamModel: string): OtherPrices | undefined;
};

/** The prices of a model other than the one that served. */
export type OtherPrices = { id: string; rates: RatesInRows; extras: Pick<ExtraRates, 'factors'> };

/** The prices of a request beyond the three rates, fixed at its admission. */
export type AdmittedPrices = Pick<UsagePrices, 'extras' | 'asked' | 'certain'> & Pick<RatesInRows, 'rows'>;
