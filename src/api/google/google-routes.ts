import { invalidParam } from '../../base/errors/invalid-param.ts';
import { Refusal } from '../../base/errors/refusal.ts';
import type { Route, RouteDescription } from '../../edge/http/route.ts';
import { handleInference } from '../../inference/gateway/handle-inference.ts';
import type { Services } from '../../inference/request/services.ts';
import type { Dialect } from '../../translation/contract/dialect.ts';
import type { GoogleDialect } from '../../translation/protocols/google/google-dialect.ts';
import { answerBlocked } from './answer-blocked.ts';
import { answerOpenly } from './answer-openly.ts';
import { asJsonArray } from './as-json-array.ts';
import { countGoogleTokens } from './count-google-tokens.ts';
import { googleDescriptions } from './google-descriptions.ts';
import { listGoogleModels } from './list-google-models.ts';
import { showGoogleModel } from './show-google-model.ts';

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

/** Newer versions of the clients call `/v1`. The routes of the catalog serve the list of models there. */
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
      handle: (exchange) => answerOpenly(exchange, services, listGoogleModels),
    },
    {
      method: 'GET',
      path: MODEL,
      describe: googleDescriptions.show,
      handle: (exchange) => answerOpenly(exchange, services, showGoogleModel),
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
