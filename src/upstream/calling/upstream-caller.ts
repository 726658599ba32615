import type { CloudSecret } from '../../settings/hosts/provider-credential.ts';
import type { Target } from '../../settings/hosts/target.ts';
import type { Wire } from '../../translation/canonical/wire.ts';
import type { WholeAnswerForm } from '../../translation/contract/inference-request.ts';
import { decodedAnswer } from '../http-client/decoded-answer.ts';
import {
  CallForsaken,
  CallTimedOut,
  type HttpAnswer,
  NoMemoryForAnswer,
} from '../http-client/http-answer.ts';
import type { HttpClient } from '../http-client/http-client.ts';
import { LocallyStarved, type LocalResources } from '../http-client/local-resources.ts';
import { callCloud } from './call-cloud.ts';
import { failureOfStatus } from './failure-of-status.ts';
import type { UpstreamCall } from './upstream-call.ts';
import {
  broken,
  forsaken,
  isLacking,
  lackingModel,
  noMemoryFor,
  starved,
  timedOut,
  type UpstreamFailure,
} from './upstream-failure.ts';
import { UpstreamHeads } from './upstream-heads.ts';

/** The length of an error body that is read, which is enough to recognise the error. */
const MAX_ERROR_TEXT = 16 * 1024;
/** The time limit for an error body after its head. */
const MAX_ERROR_MS = 2_000;

/** Calls providers, with one attempt at one target per call. */
export class UpstreamCaller {
  readonly #client: HttpClient;
  readonly #heads = new UpstreamHeads();
  readonly #resources: Pick<LocalResources, 'explain'> | undefined;

  constructor(client: HttpClient, resources?: Pick<LocalResources, 'explain'>) {
    this.#client = client;
    this.#resources = resources;
  }

  /**
   * Sends the request, and returns when the head of the answer has arrived.
   * The caller must read the answer to its end or cancel it.
   */
  call(call: UpstreamCall): Promise<HttpAnswer | UpstreamFailure> {
    const { cloud } = call.target.provider;
    return cloud ? callCloud(call, cloud.credential, this.#send) : this.#send(call);
  }

  readonly #send = (call: UpstreamCall, secret?: CloudSecret): Promise<HttpAnswer | UpstreamFailure> => {
    try {
      const head = this.#heads.of(call, secret);
      return this.#client
        .send({ ...call, head, timeouts: call.target.provider.timeouts })
        .then<HttpAnswer | UpstreamFailure, UpstreamFailure>((received) => {
          const answer = decodedAnswer(received, call);
          return isAsExpected(call, answer) ? answer : readFailure(answer, call.target);
        }, this.#failureOf);
    } catch (error) {
      return Promise.resolve(failureOf(error)); // the configured provider yields no valid head
    }
  };

  /** A call without an answer may have failed on this machine. */
  readonly #failureOf = (error: unknown): UpstreamFailure =>
    failureOf(this.#resources ? this.#resources.explain(error) : error);
}

/** The content types of wires whose streams are not server-sent events. */
const STREAM_TYPES: Partial<Record<Wire, string>> = {
  'bedrock-converse': 'application/vnd.amazon.eventstream',
};

/**
 * The content types that a whole answer can have if it is not JSON.
 * Some hosts answer in JSON to a request for text.
 */
const FORM_TYPES: Readonly<Record<WholeAnswerForm, RegExp>> = {
  text: /^(text\/(?!html|event-stream)|application\/(json|x-subrip|octet-stream))/i,
  bytes: /^(audio\/|application\/octet-stream)/i,
};

/** The types of whole answers in place of streams. */
const WHOLE_TYPES = /^(application\/json|text\/plain)/i;

function isOfType({ stream, answerForm, wire, takesWholeAnswers }: UpstreamCall, type: string): boolean {
  if (stream && takesWholeAnswers && WHOLE_TYPES.test(type)) return true;
  if (stream) return type.includes(STREAM_TYPES[wire] ?? 'text/event-stream');
  return answerForm === undefined ? type.includes('json') : FORM_TYPES[answerForm].test(type);
}

const isAsExpected = (call: UpstreamCall, answer: HttpAnswer): boolean =>
  answer.status === 200 &&
  isOfType(call, answer.get('content-type') ?? '') &&
  Number(answer.get('content-length')) <= call.maxBytes &&
  // A known coding is decoded, although the gateway asks for none.
  (answer.get('content-encoding') ?? 'identity') === 'identity';

async function readFailure(answer: HttpAnswer, { isPassed }: Target): Promise<UpstreamFailure> {
  const { status } = answer;
  if (status !== 200) {
    const failure = failureOfStatus(status, await readComplaint(answer), answer);
    failure.status = status;
    return isPassed && status === 404 && !isLacking(failure) ? lackingModel(failure) : failure;
  }
  answer.cancel();
  const type = answer.get('content-type');
  return broken(`unexpected answer: content type ${type}, ${answer.get('content-length')} bytes`);
}

/** Reads the body of an error, if it arrives soon and whole. The status is enough without it. */
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
  if (error instanceof NoMemoryForAnswer) return noMemoryFor(error);
  return error instanceof CallForsaken ? forsaken(error) : broken(error);
}
