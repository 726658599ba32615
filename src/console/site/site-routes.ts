import { Refusal } from '../../base/errors/refusal.ts';
import { chooseEncoding } from '../../edge/http/compressed-file.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { matchesEtag } from '../../edge/http/matches-etag.ts';
import type { Reply } from '../../edge/http/reply.ts';
import type { Route } from '../../edge/http/route.ts';
import { ASSETS, buildSite, type Site } from './build-site.ts';
import { pagePaths } from './page-paths.ts';
import { brokenPage, pageHeaders, sitePage } from './site-page.ts';

/** The page where people approve the sign-in of a client. */
const DEVICE = '/device';

type Page = { body: string; etag: string };
/** The document differs by the path of the server's public address. */
type Served = { site: Site; pages: Map<string, Page> };

/**
 * Returns the dashboard's pages and files. They are built at the first request for one of them, and then
 * kept.
 */
export function siteRoutes(build: () => Promise<Site> = buildSite): Route[] {
  let building: Promise<Served> | undefined;
  const served = (): Promise<Served> => {
    building ??= build().then(prepare);
    // A failure may have a temporary cause, such as a lack of descriptors.
    building.catch(() => {
      building = undefined;
    });
    return building;
  };
  const page = async (exchange: Exchange): Promise<Reply> => {
    try {
      return answerPage(exchange, await served());
    } catch (error) {
      exchange.reportFailure(error);
      return {
        status: 500,
        body: brokenPage(basePathOf(exchange)),
        headers: { ...pageHeaders, 'cache-control': 'no-store' },
      };
    }
  };
  const devicePage = (exchange: Exchange): Promise<Reply> | Refusal =>
    exchange.snapshot.config.claude_code.sign_in ? page(exchange) : new Refusal('not_found');
  return [
    ...pagePaths.map(
      (path): Route => ({ method: 'GET', path, handle: path === DEVICE ? devicePage : page, isPage: true }),
    ),
    {
      method: 'GET',
      path: `${ASSETS}{file}`,
      handle: async (exchange) => answerFile(exchange, (await served()).site),
    },
  ];
}

const prepare = (site: Site): Served => ({ site, pages: new Map() });

function pageOf({ site, pages }: Served, base: string): Page {
  let page = pages.get(base);
  if (!page) {
    const body = sitePage(site, base);
    page = { body, etag: `"${Bun.hash(body).toString(36)}"` };
    pages.set(base, page);
  }
  return page;
}

/** Returns the path of the public address. The listener for operators has an address of its own. */
function basePathOf({ listener, snapshot }: Exchange): string {
  const { public_url: url } = snapshot.config.server;
  return listener === 'operators' || url === null ? '' : new URL(url).pathname.replace(/\/+$/, '');
}

function answerPage(exchange: Exchange, served: Served): Reply {
  const { request } = exchange;
  const { body, etag } = pageOf(served, basePathOf(exchange));
  const headers = { ...pageHeaders, 'cache-control': 'no-cache', etag };
  return matchesEtag(request.headers.get('if-none-match'), etag)
    ? { status: 304, body: null, headers }
    : { status: 200, body, headers };
}

async function answerFile({ request, params }: Exchange, { files }: Site): Promise<Reply | Refusal> {
  const file = files.get(params['file']!);
  if (!file) return new Refusal('not_found');
  const encoding = chooseEncoding(request.headers.get('accept-encoding'));
  return {
    status: 200,
    body: await file.in(encoding),
    headers: {
      'content-type': file.type,
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      vary: 'accept-encoding',
      ...(encoding !== 'plain' && { 'content-encoding': encoding }),
    },
  };
}
