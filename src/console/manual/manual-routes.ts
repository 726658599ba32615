import packageFile from '../../../package.json' with { type: 'json' };
import { Refusal } from '../../base/errors/refusal.ts';
import type { CountRequest, Handler, Route } from '../../edge/http/route.ts';
import { answerPage } from '../docs/answer-page.ts';
import { PreparedPage } from '../docs/prepared-page.ts';
import type { ManualSite } from './manual-site.ts';

/** The folder of the guides in addresses. */
const FOLDER = '/docs/';
/** The page at the folder itself. */
const MAP = 'index.html';
/** The address of the API reference from this folder. */
const REFERENCE = '../docs';

/**
 * Returns the routes of the guides. The code that renders them is loaded at the first request, and each page
 * is made once. The API reference documents `routes`.
 */
export function manualRoutes(
  routes: readonly Route[],
  { count }: { count?: CountRequest | undefined } = {},
): Route[] {
  let loading: Promise<ManualSite> | undefined;
  const site = (): Promise<ManualSite> => {
    loading ??= import('./manual-site.ts').then(
      (code) => new code.ManualSite({ routes, reference: REFERENCE, version: packageFile.version }),
    );
    // A failure may have a temporary cause, such as a lack of descriptors.
    loading.catch(() => {
      loading = undefined;
    });
    return loading;
  };
  const pages = new Map<string, PreparedPage>();
  const handle: Handler = async (exchange) => {
    const refusal = count?.(exchange);
    if (refusal) return refusal;
    const place = exchange.params['file'] ?? MAP;
    let page = pages.get(place);
    if (!page) {
      const file = (await site()).file(place);
      if (!file) return new Refusal('not_found');
      page = new PreparedPage(file);
      pages.set(place, page);
    }
    return answerPage(exchange, page, '');
  };
  return [FOLDER, `${FOLDER}{file*}`].map((path) => ({ method: 'GET', path, handle }));
}
