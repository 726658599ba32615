import { escapeUnprintable } from '../../base/lib/escape-unprintable.ts';
import type { AttemptRecord } from '../../edge/http/attempt-record.ts';
import type { Exchange } from '../../edge/http/exchange.ts';
import { tenths } from './tenths.ts';

/** Returns the members of the log line of each call. */
export const attemptLines = ({ requestId, notes: { calls = [] } }: Exchange): string[] =>
  calls.map((call) =>
    escapeUnprintable(
      JSON.stringify({
        request_id: requestId,
        provider: call.provider,
        model: call.model,
        status: call.status,
        ms: call.ms === null ? null : tenths(call.ms),
        ...(call.error && { error: shownError(call) }),
      }).slice(1, -1),
    ),
  );

/** Returns further members of the log line: the upstreams' errors, if there are any. */
export function upstreamErrors({ notes: { calls } }: Exchange): string {
  const failedCalls = calls?.filter(({ error }) => error !== null) ?? [];
  return failedCalls.length === 0
    ? ''
    : escapeUnprintable(
        `,"upstream_errors":${JSON.stringify(
          failedCalls.map((call) => ({ provider: call.provider, model: call.model, ...shownError(call) })),
        )}`,
      );
}

const shownError = ({ status, error }: AttemptRecord) => ({
  status,
  type: error?.type,
  code: error?.code,
  message: error?.message,
  request_id: error?.requestId,
});
