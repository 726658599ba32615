import type { ProviderRow } from './rows.ts';

type Sorted = Pick<ProviderRow, 'mode' | 'health' | 'requests_total' | 'missing_variables'>;

/**
 * Divides the providers for the page. Those with a fault come first;
 * the others keep the order of the configuration.
 */
export const sortProviders = <Row extends Sorted>(providers: readonly Row[]) => ({
  used: providers
    .filter((provider) => provider.mode !== 'not-set-up' && !isIdleStandIn(provider))
    .toSorted((a, b) => ranks[a.health] - ranks[b.health]),
  standIns: providers.filter(isIdleStandIn),
  /** Without missing variables there is nothing to set, as with the simulator itself. */
  unused: providers.filter(
    ({ mode, missing_variables }) => mode === 'not-set-up' && missing_variables.length > 0,
  ),
});

/**
 * On a first start the simulator stands in for every known provider, which would fill many screens with
 * cards.
 */
const isIdleStandIn = ({ mode, requests_total, missing_variables, health }: Sorted): boolean =>
  mode === 'simulated' && requests_total === 0 && missing_variables.length > 0 && health === 'up';

const ranks: Readonly<Record<ProviderRow['health'], number>> = {
  down: 0,
  faulty: 1,
  degraded: 2,
  drained: 3,
  up: 4,
  'not-set-up': 4,
};
