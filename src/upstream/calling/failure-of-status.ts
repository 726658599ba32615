import type { ErrorCode } from '../../base/errors/catalogue.ts';
import { promptLengthsIn } from '../../base/errors/prompt-lengths.ts';
import { Refusal, refusedAsInvalid } from '../../base/errors/refusal.ts';
import type { HeaderReader } from '../../base/lib/header-reader.ts';
import { isOutOfCredit } from './is-out-of-credit.ts';
import { lacksFeature } from './lacks-feature.ts';
import { causeOfRefusal, type FaultCause } from './provider-fault.ts';
import { retryAfter } from './retry-after.ts';
import { upstreamErrorOf } from './upstream-error-of.ts';
import { NOT_OFFERED, type UpstreamFailure } from './upstream-failure.ts';

/** `isFinal`: the request would fail at any other target. `waits`: the upstream may say how long to pause. */
type Meaning = {
  code: ErrorCode;
  isFinal?: true;
  outcome?: UpstreamFailure['outcome'];
  waits?: true;
  message?: string;
  fault?: FaultCause;
};

/**
 * The errors that the client gets for an upstream's status. Any other status is `upstream_unavailable`. A
 * refused operator key is never the client's 401.
 */
const byStatus: Readonly<Record<number, Meaning>> = {
  400: { code: 'invalid_request', isFinal: true, message: refusedAsInvalid().message },
  401: { code: 'upstream_unavailable', outcome: 'key-refused' },
  403: { code: 'upstream_unavailable', outcome: 'key-refused' },
  408: { code: 'upstream_timeout', outcome: 'timeout' },
  413: { code: 'request_unprocessable', isFinal: true },
  422: { code: 'request_unprocessable', isFinal: true },
  429: { code: 'upstream_overloaded', waits: true },
  503: { code: 'upstream_overloaded', waits: true },
  504: { code: 'upstream_timeout', outcome: 'timeout' },
  529: { code: 'upstream_overloaded', waits: true },
};
const OUT_OF_CREDIT: Meaning = { code: 'upstream_unavailable', fault: 'out_of_credit' };
const OTHER_STATUS: Meaning = { code: 'upstream_unavailable' };
/** The host works, and will refuse the same request again. Another host may offer what it asks for. */
const MISSING_FEATURE: Meaning = { ...NOT_OFFERED, outcome: 'canceled' };

/**
 * Words of the vendors' own errors that distinguish one 400 from another. A parameter name that contains one
 * of them must not match.
 */
const complaints: readonly { status: number; says: RegExp; means: Meaning }[] = [
  {
    // Some vendors report a refused key or an old signature with the status of an invalid request.
    status: 400,
    says: /API_KEY_INVALID|API key (not valid|expired)|Signature expired|RequestExpired/,
    means: { code: 'upstream_unavailable', outcome: 'key-refused' },
  },
  {
    status: 400,
    says: new RegExp(
      [
        'content[ _-]?(filter|policy|management)|responsible_?ai|prohibited_content',
        'safety (system|filter|polic|setting)|blocked.{0,40}safety',
      ].join('|'),
      'i',
    ),
    means: { code: 'content_filter', isFinal: true },
  },
  {
    status: 400,
    says: new RegExp(
      [
        'context[ _-]?(length|window|limit)|maximum context',
        '(prompt|input|request) is too long|too many (input )?tokens|prompt token count of',
        'exceeds? the (maximum|model|context).{0,40}token|(available|maximum) context size',
        'maximum (prompt|model|input) length|model token limit|reduce the length of (the|your)',
        'exceeds the max_model_len|inputs. must have less than|range of input length|prompt cannot exceed',
      ].join('|'),
      'i',
    ),
    means: { code: 'context_length_exceeded', isFinal: true },
  },
  {
    // Text Generation Inference, and hosts that run it
    status: 422,
    says: /inputs. (must have less than|tokens \+ .max_new_tokens. must be)/i,
    means: { code: 'context_length_exceeded', isFinal: true },
  },
  {
    // llama.cpp before September 2025
    status: 500,
    says: /exceed_context_size_error|exceeds the available context size/,
    means: { code: 'context_length_exceeded', isFinal: true },
  },
];

/** Returns the failure for an upstream's status. Its text decides the meaning. */
export function failureOfStatus(status: number, body: string, headers: HeaderReader): UpstreamFailure {
  const error = upstreamErrorOf(body, { status, headers });
  const meaning = isOutOfCredit(error) ? OUT_OF_CREDIT : meaningOf(status, body);
  const { code, isFinal = false, outcome = 'error', waits, message } = meaning;
  const fault = outcome === 'key-refused' ? causeOfRefusal(body, headers) : meaning.fault;
  const promptLengths = code === 'context_length_exceeded' ? promptLengthsIn(body) : undefined;
  const details = {
    ...(waits && retryAfter(headers)),
    ...(message !== undefined && { message }),
    ...(promptLengths && { promptLengths }),
  };
  return {
    refusal: new Refusal(code, details),
    isFinal,
    outcome,
    reason: `status ${status}`,
    error,
    ...(fault && { fault }),
  };
}

function meaningOf(status: number, body: string): Meaning {
  const complaint = complaints.find((row) => row.status === status && row.says.test(body));
  return complaint?.means ?? missingFeature(status, body) ?? byStatus[status] ?? OTHER_STATUS;
}

const missingFeature = (status: number, body: string): Meaning | undefined =>
  status === 501 || (status === 404 && lacksFeature(body)) ? MISSING_FEATURE : undefined;
