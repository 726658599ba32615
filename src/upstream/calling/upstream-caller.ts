import type { MaybeLater } from '../../base/lib/after.ts';
import type { Target } from '../../settings/hosts/target.ts';
import type { Wire } from '../../translation/canonical/wire.ts';
import { CallForsaken, CallTimedOut, type HttpAnswer, NoRoomForAnswer } from '../http-client/http-answer.ts';
import type { HttpClient } from '../http-client/http-client.ts';
import { LocallyStarved, type LocalResources } from '../http-client/local-resources.ts';
import {
  broken,
  failureOfStatus,
  forsaken,
  noRoomFor,
  starved,
  timedOut,
  type UpstreamFailure,
} from './upstream-failure.ts';
import { UpstreamHeads } from './upstream-heads.ts';

export type UpstreamCall = {
  target: Target;
  wire: Wire;
  path: string;
  body: string;
  stream: boolean;
  client: AbortSignal;
  graceMs: number;
  left?: (() => void) | undefined;
  calledOff?: AbortSignal | undefined;
  /** Where the client speaks the wire's own protocol: what it says to the vendor beside the body. */
  clientHeaders?: Headers | undefined;
  /** By name: what travels on in place of that; null for nothing. */
  headerEdits?: Readonly<Record<string, string | null>> | undefined;
  /** What a whole answer may hold. */
  mostBytes: number;
  /** Makes room for more bytes of a whole answer. */
  makeRoom?: ((bytes: number) => MaybeLater<boolean>) | undefined;
};

/** What is read of an error's body: enough to see what it speaks of. */
const MAX_ERROR_TEXT = 16 * 1024;
/** So long the rest of an error may come behind its head. */
const MAX_ERROR_MS = 2_000;

/** Calls providers, one attempt at one target at a time. */
export class UpstreamCaller {
  readonly #client: HttpClient;
  readonly #heads = new UpstreamHeads();
  readonly #resources: Pick<LocalResources, 'explain'> | undefined;

  constructor(client: HttpClient, resources?: Pick<LocalResources, 'explain'>) {
    this.#client = client;
    this.#resources = resources;
  }

  /** Until the answer's head is there. Whoever takes the answer reads it to its end, or cancels it. */
  call(call: UpstreamCall): Promise<HttpAnswer | UpstreamFailure> {
    const { body, client, graceMs, left, calledOff, target, mostBytes, makeRoom } = call;
    try {
      const head = this.#heads.of(call);
      return this.#client
        .send({
          head,
          body,
          timeouts: target.provider.timeouts,
          client,
          graceMs,
          left,
          calledOff,
          mostBytes,
          makeRoom,
        })
        .then<HttpAnswer | UpstreamFailure, UpstreamFailure>(
          (answer) => (isAsExpected(call, answer) ? answer : readFailure(answer)),
          this.#failureOf,
        );
    } catch (error) {
      return Promise.resolve(failureOf(error)); // what is configured makes no head
    }
  }

  /** Without an answer it may be our own machine that failed. */
  readonly #failureOf = (error: unknown): UpstreamFailure =>
    failureOf(this.#resources ? this.#resources.explain(error) : error);
}

/** Wires whose streams are no server-sent events. */
const STREAM_TYPES: Partial<Record<Wire, string>> = {
  'bedrock-converse': 'application/vnd.amazon.eventstream',
};

const isAsExpected = ({ stream, wire, mostBytes }: UpstreamCall, answer: HttpAnswer): boolean =>
  answer.status === 200 &&
  (answer.get('content-type') ?? '').includes(
    stream ? (STREAM_TYPES[wire] ?? 'text/event-stream') : 'json',
  ) &&
  Number(answer.get('content-length')) <= mostBytes &&
  // Asked for none: what comes compressed all the same could be of any size.
  (answer.get('content-encoding') ?? 'identity') === 'identity';

async function readFailure(answer: HttpAnswer): Promise<UpstreamFailure> {
  if (answer.status !== 200) return failureOfStatus(answer.status, await readComplaint(answer), answer);
  answer.cancel();
  const type = answer.get('content-type');
  return broken(`an answer of type ${type}, ${answer.get('content-length')} bytes`);
}

/** What its body says, where that comes soon and whole; the status says enough without. */
async function readComplaint(answer: HttpAnswer): Promise<string> {
  const timer = setTimeout(() => answer.cancel(), MAX_ERROR_MS);
  try {
    return (await answer.readText(MAX_ERROR_TEXT)).text;
  } catch {
    return '';
  } finally {
    clearTimeout(timer);
  }
}

export function failureOf(error: unknown): UpstreamFailure {
  if (error instanceof CallTimedOut) return timedOut(error.message);
  if (error instanceof LocallyStarved) return starved(error);
  if (error instanceof NoRoomForAnswer) return noRoomFor(error);
  return error instanceof CallForsaken ? forsaken(error) : broken(error);
}
