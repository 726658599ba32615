import { invalidParam } from '../../base/errors/invalid-param.ts';
import { Refusal } from '../../base/errors/refusal.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { jsonReply, type Reply } from '../../edge/http/reply.ts';
import type { Route, RouteDescription } from '../../edge/http/route.ts';
import { quotedName } from '../../inference/admission/quoted-name.ts';
import { handleInference } from '../../inference/gateway/handle-inference.ts';
import type { Services } from '../../inference/request/services.ts';
import type { Dialect } from '../../translation/contract/dialect.ts';
import type { GoogleDialect } from '../../translation/protocols/google/google-dialect.ts';
import { modelName } from '../../translation/protocols/google/model-name.ts';
import { answerBlocked } from './answer-blocked.ts';
import { asJsonArray } from './as-json-array.ts';
import { countGoogleTokens } from './count-google-tokens.ts';
import { googleDescriptions } from './google-descriptions.ts';
import { googleModelView, isListedForGoogle } from './google-model-view.ts';
import { listGoogleModels } from './list-google-models.ts';

export type GoogleParts = {
  generate: GoogleDialect;
  stream: Dialect;
  embedOne: Dialect;
  embedList: Dialect;
  services: Services;
  /** The routes call it for each request that a client waits for. */
  onLive: () => void;
};

const MODEL = '/v1beta/models/{id*}';

/**
 * Newer versions of the clients call the methods under `/v1`, where the list of models is that of other
 * clients.
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
      handle: (exchange) => answerOpenly(exchange, services, () => listGoogleModels(exchange)),
    },
    {
      method: 'GET',
      path: MODEL,
      describe: googleDescriptions.show,
      handle: (exchange) => answerOpenly(exchange, services, () => showModel(exchange)),
    },
  ];
}

const methodRoutes = (base: string, parts: GoogleParts): Route[] => [
  ...chatRoutes(base, parts),
  ...embedRoutes(base, parts),
];

function embedRoutes(base: string, { embedOne, embedList, services, onLive }: GoogleParts): Route[] {
  const route = (method: string, dialect: Dialect, describe: RouteDescription): Route => ({
    method: 'POST',
    path: `${base}:${method}`,
    describe,
    handle: (exchange) => {
      onLive();
      return handleInference(exchange, dialect, services);
    },
  });
  return [
    route('embedContent', embedOne, googleDescriptions.embedOne),
    route('batchEmbedContents', embedList, googleDescriptions.embedList),
  ];
}

const chatRoutes = (base: string, { generate, stream, services, onLive }: GoogleParts): Route[] => [
  {
    method: 'POST',
    path: `${base}:generateContent`,
    describe: googleDescriptions.generate,
    handle: async (exchange) => {
      onLive();
      const answer = await handleInference(exchange, generate, services);
      return answerBlocked(answer, { exchange, dialect: generate, stream: false });
    },
  },
  {
    method: 'POST',
    path: `${base}:streamGenerateContent`,
    describe: googleDescriptions.stream,
    handle: async (exchange) => {
      onLive();
      const alt = new URLSearchParams(exchange.query).get('alt');
      if (alt !== null && alt !== 'sse' && alt !== 'json') return invalidParam('alt', 'must be sse or json.');
      const answer = await handleInference(exchange, stream, services);
      const reply = answerBlocked(answer, { exchange, dialect: stream, stream: true });
      return reply instanceof Refusal || alt === 'sse' ? reply : asJsonArray(reply);
    },
  },
  {
    method: 'POST',
    path: `${base}:countTokens`,
    describe: googleDescriptions.count,
    handle: (exchange) => countGoogleTokens(exchange, generate, services),
  },
];

/** Answers a request of the catalog, which needs no key and ignores an invalid one. */
async function answerOpenly(exchange: Exchange, { authenticator }: Services, answer: () => Reply | Refusal) {
  const principal = await authenticator.authenticateRead(exchange, 'google');
  const isRefused = principal instanceof Refusal && principal.code === 'rate_limit_exceeded';
  return isRefused ? principal : answer();
}

function showModel({ snapshot, params }: Exchange): Reply | Refusal {
  const id = modelName(params['id']!);
  const entry = snapshot.catalog.find(id);
  if (!entry || !isListedForGoogle(entry))
    return new Refusal('unknown_model', {
      param: 'model',
      message: `There is no model '${quotedName(id)}'; GET /v1beta/models lists them.`,
    });
  return jsonReply(200, googleModelView(entry));
}
