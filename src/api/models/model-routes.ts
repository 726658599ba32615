import { Refusal } from '../../base/errors/refusal.ts';
import type { Clock } from '../../base/lib/clock.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { matchesEtag } from '../../edge/http/matches-etag.ts';
import { readLimit } from '../../edge/http/read-limit.ts';
import { jsonReply, type Reply } from '../../edge/http/reply.ts';
import type { Handler, Route } from '../../edge/http/route.ts';
import { quotedName } from '../../inference/admission/quoted-name.ts';
import type { Authenticator } from '../../money/auth/authenticator.ts';
import { paymentMode, requestedMode } from '../../money/auth/payment-mode.ts';
import { answerOpenly } from '../google/answer-openly.ts';
import { listGoogleModels } from '../google/list-google-models.ts';
import { showGoogleModel } from '../google/show-google-model.ts';
import { anthropicModelView } from './anthropic-model-view.ts';
import { anthropicPage, MAX_MODELS } from './anthropic-page.ts';
import { isListed } from './is-listed.ts';
import { modelDescriptions } from './model-descriptions.ts';
import { modelView, type Viewer } from './model-view.ts';
import { type PreparedBody, prepareBody } from './prepared-body.ts';
import { preparedList } from './prepared-list.ts';
import { matchesWire, readWireFilter } from './wire-filter.ts';

/** The time for which clients and proxies can cache the public catalog. */
export const CATALOG_CACHE_SECONDS = 300;

/**
 * Returns the routes of the public catalog. They need no key and ignore an invalid one, except in
 * pay-as-you-go mode.
 */
export const modelRoutes = (authenticator: Authenticator, clock: Pick<Clock, 'now'>): Route[] => [
  {
    method: 'GET',
    path: '/v1/models',
    describe: modelDescriptions.list,
    handle: async (exchange) => {
      if (isOfGoogle(exchange)) return answerGoogle(exchange, authenticator, listGoogleModels);
      return listModels(exchange, await viewerOf(exchange, { authenticator, clock }));
    },
  },
  {
    method: 'GET',
    path: '/v1/models/{id*}',
    describe: modelDescriptions.show,
    handle: async (exchange) => {
      if (isOfGoogle(exchange)) return answerGoogle(exchange, authenticator, showGoogleModel);
      return showModel(exchange, await viewerOf(exchange, { authenticator, clock }));
    },
  },
];

type ViewerParts = { authenticator: Authenticator; clock: Pick<Clock, 'now'> };

/** Returns the caller that the catalog is shown to. An invalid key counts as none. */
async function viewerOf(
  exchange: Exchange,
  { authenticator, clock }: ViewerParts,
): Promise<Viewer | Refusal> {
  if (wantsAnthropicShape(exchange)) exchange.headers['request-id'] = exchange.requestId;
  const requested = requestedMode(exchange);
  if (requested instanceof Refusal) return requested;
  const { names, plans, config } = exchange.snapshot;
  const shared = { names, plans, listsUnavailable: config.catalog.list_unavailable, now: clock.now() };
  const principal = await authenticator.authenticateRead(exchange, 'either');
  if (principal instanceof Refusal) {
    const isRefused = principal.code === 'rate_limit_exceeded' || requested === 'payg';
    return isRefused ? principal : { plan: null, payg: false, ...shared };
  }
  const mode = paymentMode(exchange, principal);
  if (mode instanceof Refusal) return mode;
  return { plan: principal.plan, payg: mode === 'payg', ...shared };
}

async function listModels(exchange: Exchange, viewer: Viewer | Refusal): Promise<Reply | Refusal> {
  if (viewer instanceof Refusal) return viewer;
  const query = new URLSearchParams(exchange.query);
  const ownWire = wantsAnthropicShape(exchange) ? 'anthropic' : 'openai';
  const filter = readWireFilter(query.get('wire'), ownWire);
  if (filter instanceof Refusal) return filter;
  const { catalog } = exchange.snapshot;
  if (!wantsAnthropicShape(exchange)) {
    // This form has no pages. Clients that send a limit anyway expect at least that many models.
    const limit = readLimit(query.get('limit'), MAX_MODELS);
    if (limit instanceof Refusal) return limit;
    return cached(exchange, viewer, await preparedList(catalog, viewer, filter));
  }
  const listed = catalog.entries.filter((entry) => isListed(entry, viewer) && matchesWire(entry, filter));
  const page = anthropicPage(listed, query, viewer.now);
  return page instanceof Refusal ? page : cached(exchange, viewer, prepareBody(page));
}

function showModel(exchange: Exchange, viewer: Viewer | Refusal): Reply | Refusal {
  if (viewer instanceof Refusal) return viewer;
  const id = exchange.params['id']!;
  const entry = exchange.snapshot.catalog.find(id);
  if (!entry) return unknownModel(exchange, id);
  const view = wantsAnthropicShape(exchange)
    ? anthropicModelView(entry, viewer.now)
    : modelView(entry, viewer);
  return cached(exchange, viewer, prepareBody(view));
}

const wantsAnthropicShape = ({ request }: Exchange): boolean => request.headers.has('anthropic-version');

/** Newer versions of Google's clients ask for their catalog here. They all send this header. */
const isOfGoogle = ({ request }: Exchange): boolean => request.headers.has('x-goog-api-client');

function answerGoogle(exchange: Exchange, authenticator: Authenticator, answer: Handler) {
  // Only these answers name the header, since the contract fixes the list of the others.
  exchange.headers['vary'] = `${varyOn(exchange)}, x-goog-api-client`;
  return answerOpenly(exchange, { authenticator }, answer);
}

/** Returns the 404 answer of the catalog, which has its own envelope. */
function unknownModel(exchange: Exchange, id: string): Reply {
  const { header } = exchange.snapshot.names;
  const error = { type: 'not_found', message: `There is no model '${quotedName(id)}'.` };
  exchange.notes.errorCode = 'not_found';
  return jsonReply(404, wantsAnthropicShape(exchange) ? { type: 'error', error } : { error }, {
    [header.errorCode]: 'not_found',
    'x-should-retry': 'false',
    vary: varyOn(exchange),
  });
}

const varyOn = ({ snapshot }: Exchange): string =>
  `authorization, x-api-key, anthropic-version, ${snapshot.names.header.paymentMode}`;

function cached(exchange: Exchange, viewer: Viewer, { body, etag }: PreparedBody): Reply {
  const headers = {
    'cache-control': viewer.payg ? 'private, no-store' : `public, max-age=${CATALOG_CACHE_SECONDS}`,
    vary: varyOn(exchange),
    etag,
  };
  if (matchesEtag(exchange.request.headers.get('if-none-match'), etag))
    return { status: 304, body: null, headers };
  return { status: 200, body, headers: { 'content-type': 'application/json', ...headers } };
}
