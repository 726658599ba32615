import type { CloudSecret } from '../../settings/hosts/provider-credential.ts';
import type { Target } from '../../settings/hosts/target.ts';
import { decodedAnswer } from '../http-client/decoded-answer.ts';
import type { HttpAnswer } from '../http-client/http-answer.ts';
import type { HttpClient } from '../http-client/http-client.ts';
import type { ErrorExplainer } from '../http-client/local-resources.ts';
import { callCloud } from './call-cloud.ts';
import { failureOf } from './failure-of.ts';
import { failureOfStatus } from './failure-of-status.ts';
import { connectionFailure, missingModelFailure } from './failures.ts';
import { isExpectedAnswer } from './is-expected-answer.ts';
import type { UpstreamCall } from './upstream-call.ts';
import { isLacking, type UpstreamFailure } from './upstream-failure.ts';
import { UpstreamHeads } from './upstream-heads.ts';

/** The length of an error body that is read, which is enough to recognise the error. */
const MAX_ERROR_TEXT = 16 * 1024;
/** The time limit for an error body after its head. */
const MAX_ERROR_MS = 2_000;

/** Calls providers, with one attempt at one target per call. */
export class UpstreamCaller {
  readonly #client: HttpClient;
  readonly #heads = new UpstreamHeads();
  readonly #resources: ErrorExplainer | undefined;

  constructor(client: HttpClient, resources?: ErrorExplainer) {
    this.#client = client;
    this.#resources = resources;
  }

  /**
   * Sends the request, and returns when the head of the answer has arrived. The caller must read the answer
   * to its end or cancel it.
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
          return isExpectedAnswer(call, answer) ? answer : readFailure(answer, call.target);
        }, this.#failureOf);
    } catch (error) {
      return Promise.resolve(failureOf(error)); // the configured provider yields no valid head
    }
  };

  /** A call without an answer may have failed on this machine. */
  readonly #failureOf = (error: unknown): UpstreamFailure =>
    failureOf(this.#resources ? this.#resources.explain(error) : error);
}

async function readFailure(answer: HttpAnswer, { isPassed }: Target): Promise<UpstreamFailure> {
  const { status } = answer;
  if (status !== 200) {
    const failure = failureOfStatus(status, await readComplaint(answer), answer);
    failure.status = status;
    return isPassed && status === 404 && !isLacking(failure) ? missingModelFailure(failure) : failure;
  }
  answer.cancel();
  const type = answer.get('content-type');
  return connectionFailure(`unexpected answer: content type ${type}, ${answer.get('content-length')} bytes`);
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
