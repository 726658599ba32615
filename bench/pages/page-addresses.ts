import { type PagePath, pagePaths } from '../../src/console/site/page-paths.ts';
import type { FilledGateway } from './filled-gateway.ts';

type PathWithId = Extract<PagePath, `${string}{${string}`>;

/** Addresses with parameters that read much. */
const QUERIES = ['/operator/traffic?span=7d&by=account', '/operator/requests?hours=24', '/usage?days=30'];

const hasId = (path: PagePath): path is PathWithId => path.includes('{');

/** Finds an id for each path. A page without one is not measured. */
async function findIds({ person, own }: FilledGateway): Promise<Record<PathWithId, string | undefined>> {
  const [request] = (await person.call(`/organizations/${own}/requests?limit=1`)).body.data;
  const [model] = (await person.call(`/organizations/${own}/models`)).body.data;
  const session = (await person.call('/session')).body;
  return {
    '/requests/{id}': request?.id,
    '/models/{id*}': model?.id,
    '/operator/requests/{id}': request?.id,
    '/operator/accounts/{id}': own,
    '/operator/people/{id}': session.person.id,
    '/operator/providers/{id}': 'openai',
    '/operator/models/{id*}': model?.id,
    // The gateway is filled with neither batches nor stored responses.
    '/batches/{id}': undefined,
    '/responses/{id}': undefined,
  };
}

/** Lists the address of every page, with ids in place of the parameters. */
export async function pageAddresses(gateway: FilledGateway): Promise<string[]> {
  const ids = await findIds(gateway);
  const addresses = pagePaths.flatMap((path): string[] => {
    if (!hasId(path)) return [path];
    const id = ids[path];
    return id === undefined ? [] : [path.replace(/\{id\*?\}/, id)];
  });
  return [...addresses, ...QUERIES];
}
