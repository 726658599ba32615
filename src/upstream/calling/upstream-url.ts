import type { Provider } from '../../settings/hosts/providers.ts';

/** Returns the URL of a call to one of a provider's models. */
export function upstreamUrl(
  { baseUrl, query, quirks }: Pick<Provider, 'baseUrl' | 'query' | 'quirks'>,
  { path, upstreamModel }: { path: string; upstreamModel: string },
): string {
  const deployment = quirks.includes('deployment-in-path')
    ? `/deployments/${encodeURIComponent(upstreamModel)}`
    : '';
  const address = baseUrl + deployment + path;
  return query === '' ? address : `${address}${address.includes('?') ? '&' : '?'}${query}`;
}
