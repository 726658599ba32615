import { pagePaths } from '../../src/console/site/page-paths.ts';
import type { FilledGateway } from './filled-gateway.ts';

/** Lists the address of every page, with ids in place of the parameters. */
export async function pageAddresses({ person, own }: FilledGateway): Promise<string[]> {
  const [request] = (await person.call(`/organizations/${own}/requests?limit=1`)).body.data;
  const model = (await person.call(`/organizations/${own}/models`)).body.data[0];
  const ids: Record<string, string | undefined> = {
    '/requests/{id}': request.id,
    '/models/{id*}': model?.id,
    '/operator/requests/{id}': request.id,
    '/operator/accounts/{id}': own,
    '/operator/people/{id}': (await person.call('/session')).body.person.id,
    '/operator/providers/{id}': 'openai',
    '/operator/models/{id*}': model?.id,
  };
  const fixed = pagePaths.flatMap((path) => {
    if (!path.includes('{')) return [path];
    const id = ids[path];
    return id === undefined ? [] : [path.replace(/\{id\*?\}/, id)];
  });
  return [...fixed, '/operator/traffic?span=7d&by=account', '/operator/requests?hours=24', '/usage?days=30'];
}
