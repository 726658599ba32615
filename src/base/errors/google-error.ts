import type { Refusal } from './refusal.ts';

/** The words of Google's APIs for a status: https://cloud.google.com/apis/design/errors */
const words: Readonly<Record<number, string>> = {
  401: 'UNAUTHENTICATED',
  402: 'FAILED_PRECONDITION',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  405: 'UNIMPLEMENTED',
  408: 'DEADLINE_EXCEEDED',
  409: 'ABORTED',
  410: 'NOT_FOUND',
  422: 'FAILED_PRECONDITION',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
};

export const googleStatus = (status: number): string =>
  words[status] ?? (status >= 500 ? 'UNAVAILABLE' : 'INVALID_ARGUMENT');

const TYPE = 'type.googleapis.com/google.rpc.';

/**
 * Builds the envelope of Google's APIs. `details` has the gateway's own code, the invalid field and the time
 * to wait.
 */
export function googleError(refusal: Refusal): Record<string, unknown> {
  const { code, message, param, status, details } = refusal;
  return {
    error: {
      code: status,
      message,
      status: googleStatus(status),
      details: [
        {
          '@type': `${TYPE}ErrorInfo`,
          reason: code.toUpperCase(),
          domain: 'gateway',
          metadata: { code, ...(param !== null && { param }) },
        },
        ...(param === null ? [] : [violation(param, message)]),
        ...(details.retryAfterMs === undefined ? [] : [retryInfo(details.retryAfterMs)]),
      ],
      ...details.fields,
    },
  };
}

const violation = (field: string, description: string) => ({
  '@type': `${TYPE}BadRequest`,
  fieldViolations: [{ field, description }],
});

const retryInfo = (waitMs: number) => ({
  '@type': `${TYPE}RetryInfo`,
  retryDelay: `${Math.max(1, Math.ceil(waitMs / 1_000))}s`,
});
