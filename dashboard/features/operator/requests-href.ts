import { queryValue, withParameters } from '../../app/address.ts';

/** The filters of the traffic that the list of requests has too. */
const sharedFilters = ['account', 'key', 'model', 'status', 'source'] as const;

/** Returns the address of the requests behind the traffic of a span, with the filters of the address. */
export const requestsHref = ({ from, to }: { from: string; to: string }): string =>
  withParameters('/operator/requests', {
    ...Object.fromEntries(sharedFilters.map((name) => [name, queryValue(name)])),
    since: from,
    until: to,
  });
