import { BadInput } from '../model/bad-input.ts';
import type { Field } from '../model/field.ts';
import {
  type Failure,
  failureOf,
  type SimulatorAnswer,
  type SimulatorExchange,
  type SimulatorWire,
} from '../model/wire.ts';
import { cachingOf } from './caching-of.ts';
import { forceToolCall } from './force-tool-call.ts';
import type { Misbehaviour } from './misbehaviour.ts';
import { parseMisbehaviour } from './parse-misbehaviour.ts';
import { planReply } from './plan-reply.ts';
import { readBody } from './read-body.ts';
import { refuseAsVendor } from './refuse-as-vendor.ts';
import { sendAnswer, sendFailure } from './send-answer.ts';
import type { SimulatorState } from './simulator-state.ts';
import { wait } from './wait.ts';

/** A request with its wire. `groups` are the groups of the path pattern. */
export type RoutedRequest = {
  request: Request;
  wire: SimulatorWire;
  groups: Record<string, string | undefined>;
};

/** A request whose body was read. */
type ReadRequest = RoutedRequest & { text: string; body: Field; query: URLSearchParams };

const DEFAULT_DIMENSIONS = 1_536;
const MILLISECONDS = 1_000;

/** Answers a request on its wire, with the faults that its model name requests. */
export async function answerRequest(routed: RoutedRequest, state: SimulatorState): Promise<Response> {
  const { request, wire } = routed;
  const refuse = (failure: Failure) => sendFailure(wire, failure);
  const bodyOrRefusal = await readBody(request, wire.form).catch(badForm);
  if (bodyOrRefusal instanceof BadInput) return refuse(failureOf(bodyOrRefusal));
  const { text, body } = bodyOrRefusal;
  state.log.add(request, text);
  const query = new URL(request.url).searchParams;
  const { apiKey, firstByteMs = 0 } = state.options;
  if (apiKey !== undefined && wire.credential(request.headers, query) !== apiKey) {
    return refuse({ status: 401, message: 'Incorrect API key provided.' });
  }
  if (!body) return refuse({ status: 400, message: 'We could not parse the JSON body of your request.' });
  const name = modelName(routed, body);
  if (!name) return refuse({ status: 400, message: 'you must provide a model parameter', param: 'model' });
  const named = parseMisbehaviour(name);
  if ('problem' in named) return refuse({ status: 400, message: named.problem, param: 'model' });
  const misbehaviour = state.counts.countRequest(name, named.misbehaviour);
  await wait(firstByteMs + (misbehaviour.delayMs ?? 0), request.signal);
  if (misbehaviour.status !== undefined)
    return sendFailure(wire, orderedFailure(misbehaviour.status), misbehaviour);
  const received = { ...routed, text, body, query };
  return answerModel(received, { model: named.model, misbehaviour }, state);
}

function badForm(error: unknown): BadInput {
  if (error instanceof BadInput) return error;
  throw error;
}

type Target = { model: string; misbehaviour: Misbehaviour };

async function answerModel(received: ReadRequest, target: Target, state: SimulatorState): Promise<Response> {
  const { wire, request } = received;
  try {
    const answer = await plan(received, target, state);
    const { misbehaviour } = target;
    const { tokensPerSecond = Infinity, beforeFault } = state.options;
    return sendAnswer(answer, { wire, misbehaviour, tokensPerSecond, beforeFault, signal: request.signal });
  } catch (error) {
    if (!(error instanceof BadInput)) throw error;
    return sendFailure(wire, failureOf(error), target.misbehaviour);
  }
}

const orderedFailure = (status: number): Failure => ({
  status,
  message: `The simulator is set to answer with status ${status}.`,
});

function modelName({ groups, wire }: RoutedRequest, body: Field): string {
  if (groups.model !== undefined) return decode(groups.model);
  const named = body.at('model');
  if (!named.present) return wire.defaultModel ?? '';
  return named.isText() ? named.text() : '';
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

async function plan(received: ReadRequest, target: Target, state: SimulatorState): Promise<SimulatorAnswer> {
  const tokenizer = await state.tokenizer();
  const { wire, body, text, query, groups } = received;
  const { model, misbehaviour } = target;
  refuseAsVendor(body, { model, wire: wire.id });
  const exchange: SimulatorExchange = {
    body,
    model: misbehaviour.echoModel ?? model,
    action: groups.action ?? '',
    query,
    createdSeconds: Math.floor(state.clock.now() / MILLISECONDS),
    reportsUsage: misbehaviour.usage !== 'none',
    compactAt: misbehaviour.compactAt,
    embeddingDimensions: state.options.embeddingDimensions ?? DEFAULT_DIMENSIONS,
    tokenizer,
    plan: (prompt) => {
      const effectivePrompt = misbehaviour.callTools ? forceToolCall(prompt) : prompt;
      return planReply(
        { ...effectivePrompt, caching: cachingOf(body, { model, wire: wire.id }, prompt) },
        { tokenizer, cache: state.cache },
      );
    },
    id: createIds(`${wire.id} ${model} ${text}`),
  };
  return wire.answer(exchange);
}

/** Creates the function that returns ids. It keeps them, since each takes a look at the whole request. */
function createIds(seed: string): SimulatorExchange['id'] {
  const ids = new Map<number, string>();
  return (prefix, index = 0) => {
    const id = ids.get(index) ?? idOf(seed, index);
    ids.set(index, id);
    return prefix + id;
  };
}

/** Returns 24 characters that depend on the request only, like a vendor's id. */
function idOf(seed: string, index: number): string {
  const digest = (salt: number) =>
    Bun.hash(seed, index * 2 + salt)
      .toString(16)
      .padStart(16, '0');
  return (digest(0) + digest(1)).slice(0, 24);
}
