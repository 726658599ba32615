import type { Exchange } from '../../edge/http/exchange.ts';
import { publicUrl } from '../../edge/http/public-url.ts';
import type { CountRequest, Route } from '../../edge/http/route.ts';
import type { Snapshot } from '../../settings/snapshot/snapshot.ts';
import { answerPage } from './answer-page.ts';
import type { ListedPage } from './listed-page.ts';
import { PreparedPage } from './prepared-page.ts';
import { servedDocuments } from './served-documents.ts';

/**
 * The parts of the routes of documents: the address that a client used, the window that a request counts in,
 * and the listed guides.
 */
export type DocsOptions = {
  originOf?: ((exchange: Exchange) => string) | undefined;
  count?: CountRequest | undefined;
  listed?: () => readonly ListedPage[];
};

/**
 * Returns the routes of the documents. They document themselves and those of the given routes that have a
 * description.
 */
export function docsRoutes(
  others: readonly Route[],
  { originOf = publicUrl, count, listed = () => [] }: DocsOptions = {},
): Route[] {
  const described = others.filter(({ describe }) => describe !== undefined);
  const routes: Route[] = servedDocuments.map((document) => {
    const pages = new WeakMap<Snapshot, PreparedPage>();
    return {
      method: 'GET',
      path: document.path,
      describe: document.describe,
      handle: (exchange) => {
        const refusal = count?.(exchange);
        if (refusal) return refusal;
        const { snapshot } = exchange;
        let page = pages.get(snapshot);
        if (!page) {
          page = new PreparedPage(document.make(snapshot, { routes: [...described, ...routes], listed }));
          pages.set(snapshot, page);
        }
        return answerPage(exchange, page, document.escape(originOf(exchange)));
      },
    };
  });
  return routes;
}
