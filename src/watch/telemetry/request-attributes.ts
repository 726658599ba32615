import { usdOf } from '../../money/ledger/microcredits.ts';
import { outputTotal } from '../../translation/canonical/usage.ts';
import type { AttributeValue } from './attributes.ts';
import type { FinishedRequest } from './finished-request.ts';
import type { GenAiFact } from './gen-ai-names.ts';
import { operationOf, providerNameOf } from './gen-ai-values.ts';

/** Reads one attribute. `repeats`: most requests have the same values, so their encoding is kept. */
export type AttributeReader<Facts> =
  | { read: (facts: Facts) => AttributeValue }
  | { repeats: (facts: Facts) => AttributeValue };

export type AttributeRow<Facts> = { name: string } & AttributeReader<Facts>;
export type GenAiRow<Facts> = { fact: GenAiFact } & AttributeReader<Facts>;

/** Reports whether a model was asked, so that the GenAI conventions apply. */
export const asksModel = ({ route, notes }: FinishedRequest): boolean =>
  notes.model !== undefined && operationOf(route) !== undefined;

/**
 * The attributes of the request's span that the GenAI conventions name. Usage is on this span only, so that
 * no receiver adds it twice.
 */
export const genAiRows: readonly GenAiRow<FinishedRequest>[] = [
  { fact: 'operation', repeats: ({ route }) => operationOf(route) },
  { fact: 'provider', repeats: ({ notes: { provider } }) => provider && providerNameOf(provider) },
  { fact: 'requestModel', repeats: ({ notes: { model } }) => model },
  { fact: 'responseModel', repeats: ({ notes: { usage, servedModel } }) => usage && servedModel },
  { fact: 'responseId', read: ({ notes: { usage }, trace: { answerId } }) => usage && answerId },
  { fact: 'conversation', read: ({ trace: { endUser } }) => endUser?.session },
  { fact: 'stream', repeats: ({ notes: { stream } }) => stream },
  { fact: 'finishReasons', read: ({ trace: { finishReasons } }) => finishReasons },
  { fact: 'inputTokens', read: ({ notes: { inputTokens } }) => inputTokens },
  { fact: 'outputTokens', read: ({ notes: { usage } }) => usage && outputTotal(usage) },
  { fact: 'cacheReadTokens', read: ({ notes: { usage } }) => usage?.input.cacheRead },
  { fact: 'cacheWriteTokens', read: ({ notes: { usage } }) => usage?.input.cacheWrite },
  { fact: 'reasoningTokens', read: ({ notes: { usage } }) => usage?.output.thinking },
  { fact: 'firstChunkSeconds', read: ({ notes: { firstTokenMs } }) => seconds(firstTokenMs) },
];

const seconds = (ms: number | undefined): number | undefined => (ms === undefined ? undefined : ms / 1_000);

/**
 * Returns the value for a request over HTTP. A request without a status is an item of a batch, which no
 * client sent over HTTP.
 */
const overHttp = <T>({ notes: { status } }: FinishedRequest, value: T): T | undefined =>
  status === undefined ? undefined : value;

/** Reports whether a request has a route. Other requests have a name in brackets in its place. */
export const hasRoute = ({ route }: FinishedRequest): boolean => route.startsWith('/');

/** The other attributes of the request's span. */
export const requestRows: readonly AttributeRow<FinishedRequest>[] = [
  { name: 'http.request.method', repeats: (request) => overHttp(request, request.method) },
  { name: 'http.route', repeats: (request) => overHttp(request, hasRoute(request) ? request.route : '') },
  // A path with parameters can contain a secret by mistake, and the route says enough.
  { name: 'url.path', repeats: ({ path, route }) => (path === route ? path : undefined) },
  { name: 'http.response.status_code', repeats: ({ notes: { status } }) => status },
  { name: 'error.type', repeats: ({ notes: { errorCode } }) => errorCode },
  { name: 'user.id', read: ({ trace: { endUser } }) => endUser?.user },
  { name: 'session.id', read: ({ trace: { endUser } }) => endUser?.session },
  { name: 'tollgate.request.id', read: ({ requestId }) => requestId },
  { name: 'tollgate.account.id', read: ({ notes: { accountId } }) => accountId },
  { name: 'tollgate.key.id', read: ({ notes: { keyId } }) => keyId },
  { name: 'tollgate.request.stream', repeats: ({ notes: { stream } }) => stream },
  { name: 'tollgate.request.attempts', repeats: ({ notes: { attempts } }) => attempts },
  { name: 'tollgate.usage.estimated', repeats: ({ notes: { usageEstimated } }) => usageEstimated },
  { name: 'tollgate.cost.microcredits', read: ({ notes: { costMicrocredits } }) => costMicrocredits },
  {
    name: 'tollgate.cost.usd',
    read: ({ notes: { costMicrocredits } }) =>
      costMicrocredits === undefined ? undefined : usdOf(costMicrocredits),
  },
  { name: 'tollgate.spans.dropped', read: ({ trace: { dropped } }) => dropped || undefined },
];
