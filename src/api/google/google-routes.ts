import { Refusal } from '../../base/errors/refusal.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { jsonReply, type Reply } from '../../edge/http/reply.ts';
import type { Route } from '../../edge/http/route.ts';
import { handleInference } from '../../inference/gateway/gateway.ts';
import type { Services } from '../../inference/request/services.ts';
import { isAvailable } from '../../settings/catalog/catalog.ts';
import type { Dialect } from '../../translation/contract/dialect.ts';
import { modelName } from '../../translation/protocols/google/model-name.ts';
import { answerBlocked } from './answer-blocked.ts';
import { asJsonArray } from './as-json-array.ts';
import { countGoogleTokens } from './count-google-tokens.ts';
import { googleDescriptions } from './google-descriptions.ts';
import { googleModelView, isListedForGoogle } from './google-model-view.ts';

export type GoogleParts = {
  whole: Dialect;
  streamed: Dialect;
  embedOne: Dialect;
  embedList: Dialect;
  services: Services;
  /** Is called for each request that a client waits for. */
  onLive: () => void;
};

const MODEL = '/v1beta/models/{id*}';

/**
 * Newer versions of the clients call the methods under `/v1`, where the list of
 * models is that of other clients.
 */
const NEWER = '/v1/models/{id*}';

/** Returns the routes of the dialect of Google's clients. The paths name the model and the method. */
export function googleRoutes(parts: GoogleParts): Route[] {
  const { services } = parts;
  return [
    ...methodRoutes(MODEL, parts),
    ...methodRoutes(NEWER, parts).map(({ method, path, handle }) => ({ method, path, handle })),
    {
      method: 'GET',
      path: '/v1beta/models',
      describe: googleDescriptions.list,
      handle: (exchange) => withKey(exchange, services, () => listModels(exchange)),
    },
    {
      method: 'GET',
      path: MODEL,
      describe: googleDescriptions.show,
      handle: (exchange) => withKey(exchange, services, () => showModel(exchange)),
    },
  ];
}

const methodRoutes = (base: string, parts: GoogleParts): Route[] => [
  ...chatRoutes(base, parts),
  ...embedRoutes(base, parts),
];

const embedRoutes = (base: string, { embedOne, embedList, services, onLive }: GoogleParts): Route[] =>
  (
    [
      ['embedContent', embedOne, googleDescriptions.embedOne],
      ['batchEmbedContents', embedList, googleDescriptions.embedList],
    ] as const
  ).map(([method, dialect, describe]) => ({
    method: 'POST',
    path: `${base}:${method}`,
    describe,
    handle: (exchange) => {
      onLive();
      return handleInference(exchange, dialect, services);
    },
  }));

const chatRoutes = (base: string, { whole, streamed, services, onLive }: GoogleParts): Route[] => [
  {
    method: 'POST',
    path: `${base}:generateContent`,
    describe: googleDescriptions.generate,
    handle: async (exchange) => {
      onLive();
      const answer = await handleInference(exchange, whole, services);
      return answerBlocked(answer, { exchange, dialect: whole, stream: false });
    },
  },
  {
    method: 'POST',
    path: `${base}:streamGenerateContent`,
    describe: googleDescriptions.stream,
    handle: async (exchange) => {
      onLive();
      const alt = new URLSearchParams(exchange.query).get('alt');
      if (alt !== null && alt !== 'sse' && alt !== 'json')
        return new Refusal('invalid_request', { param: 'alt', message: 'alt must be sse or json.' });
      const answer = await handleInference(exchange, streamed, services);
      const reply = answerBlocked(answer, { exchange, dialect: streamed, stream: true });
      return reply instanceof Refusal || alt === 'sse' ? reply : asJsonArray(reply);
    },
  },
  {
    method: 'POST',
    path: `${base}:countTokens`,
    describe: googleDescriptions.count,
    handle: (exchange) => countGoogleTokens(exchange, whole, services),
  },
];

async function withKey(exchange: Exchange, { authenticator }: Services, answer: () => Reply | Refusal) {
  const principal = await authenticator.authenticateRead(exchange, 'google');
  return principal instanceof Refusal ? principal : answer();
}

const MAX_PAGE = 1_000;
const DEFAULT_PAGE = 50;

function listModels({ snapshot, query }: Exchange): Reply | Refusal {
  const parameters = new URLSearchParams(query);
  const pageSize = parameters.get('pageSize') ?? String(DEFAULT_PAGE);
  const size = Number(pageSize);
  if (!/^\d{1,9}$/.test(pageSize))
    return new Refusal('invalid_request', {
      param: 'pageSize',
      message: 'pageSize must be a positive integer.',
    });
  const entries = snapshot.catalog.entries.filter((entry) => isAvailable(entry) && isListedForGoogle(entry));
  const token = parameters.get('pageToken');
  const start = token ? entries.findIndex(({ model }) => model.id === token) + 1 : 0;
  if (token && start === 0)
    return new Refusal('invalid_request', {
      param: 'pageToken',
      message: 'pageToken does not belong to this list. Begin without one.',
    });
  const page = entries.slice(start, start + Math.min(size || DEFAULT_PAGE, MAX_PAGE));
  const last = page.at(-1);
  return jsonReply(200, {
    models: page.map(googleModelView),
    ...(last && last !== entries.at(-1) && { nextPageToken: last.model.id }),
  });
}

function showModel({ snapshot, params }: Exchange): Reply | Refusal {
  const id = modelName(params['id']!);
  const entry = snapshot.catalog.find(id);
  if (!entry || !isListedForGoogle(entry))
    return new Refusal('unknown_model', {
      param: 'model',
      message: `There is no model '${id.replace(/\p{C}/gu, '').slice(0, 80)}'; GET /v1beta/models lists them.`,
    });
  return jsonReply(200, googleModelView(entry));
}
