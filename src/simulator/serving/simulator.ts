import { systemClock } from '../../base/lib/clock.ts';
import { loadTokenizer, type Tokenizer } from '../model/tokenizer.ts';
import { answerRequest } from './answer-request.ts';
import { createBatches } from './batches/create-batches.ts';
import { CallCounts } from './call-counts.ts';
import { listModels } from './list-models.ts';
import { PrefixCache } from './prefix-cache.ts';
import { type ReceivedRequest, RequestLog } from './request-log.ts';
import type { SimulatorOptions, SimulatorState } from './simulator-state.ts';
import { WIRES } from './wires.ts';

export type Simulator = {
  handle(request: Request): Promise<Response>;
  /** Returns the last requests received, oldest first. */
  requests(): ReceivedRequest[];
};

const DEFAULT_LOG_SIZE = 100;
const VERSION_PREFIX = /^\/v(?:1(?:beta)?|2)(?=\/)/;

/** Creates a simulated upstream that serves all wires without a model. */
export function createSimulator(options: SimulatorOptions = {}): Simulator {
  let tokenizer: Promise<Tokenizer> | undefined;
  const state: SimulatorState = {
    options,
    clock: options.clock ?? systemClock,
    cache: new PrefixCache(),
    counts: new CallCounts(),
    log: new RequestLog(options.logSize ?? DEFAULT_LOG_SIZE),
    tokenizer: () => {
      tokenizer ??= loadTokenizer();
      return tokenizer;
    },
  };
  const batches = createBatches(state, (request) => answerAlone(request, state));
  const handle = async (request: Request): Promise<Response> =>
    (await batches({ request, path: pathOf(request) })) ?? answerAlone(request, state);
  return { handle, requests: () => state.log.list() };
}

const pathOf = (request: Request): string => new URL(request.url).pathname.replace(VERSION_PREFIX, '');

/** Answers a request that is no call of a batch API. */
async function answerAlone(request: Request, state: SimulatorState): Promise<Response> {
  const path = pathOf(request);
  if (request.method === 'GET') return answerGet(path);
  for (const wire of WIRES) {
    const match = wire.path.exec(path);
    if (match) return answerRequest({ request, wire, groups: match.groups ?? {} }, state);
  }
  return notFound(path);
}

function answerGet(path: string): Response {
  if (path === '/health') return Response.json({ status: 'ok', simulated: true });
  return path === '/models' ? Response.json(listModels()) : notFound(path);
}

const notFound = (path: string): Response =>
  Response.json(
    { error: { message: `The simulator has nothing at ${path}.`, type: 'not_found' } },
    { status: 404 },
  );
