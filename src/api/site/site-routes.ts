import { Refusal } from '../../base/errors/refusal.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { matchesEtag } from '../../edge/http/matches-etag.ts';
import type { Reply } from '../../edge/http/reply.ts';
import type { Route } from '../../edge/http/route.ts';
import { ASSETS, buildSite, type Site } from './build-site.ts';
import { chosenEncoding } from './compressed-file.ts';
import { pagePaths } from './page-paths.ts';
import { brokenPage, pageHeaders, sitePage } from './site-page.ts';

type Served = { site: Site; page: string; etag: string };

/** The dashboard's pages and files. They are built at the first request for one of them, and then kept. */
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
      exchange.failed(error);
      return { status: 500, body: brokenPage, headers: { ...pageHeaders, 'cache-control': 'no-store' } };
    }
  };
  return [
    ...pagePaths.map((path): Route => ({ method: 'GET', path, handle: page, isPage: true })),
    {
      method: 'GET',
      path: `${ASSETS}{file}`,
      handle: async (exchange) => answerFile(exchange, (await served()).site),
    },
  ];
}

function prepare(site: Site): Served {
  const page = sitePage(site);
  return { site, page, etag: `"${Bun.hash(page).toString(36)}"` };
}

function answerPage({ request }: Exchange, { page, etag }: Served): Reply {
  const headers = { ...pageHeaders, 'cache-control': 'no-cache', etag };
  return matchesEtag(request.headers.get('if-none-match'), etag)
    ? { status: 304, body: null, headers }
    : { status: 200, body: page, headers };
}

async function answerFile({ request, params }: Exchange, { files }: Site): Promise<Reply | Refusal> {
  const file = files.get(params['file']!);
  if (!file) return new Refusal('not_found');
  const encoding = chosenEncoding(request.headers.get('accept-encoding'));
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
