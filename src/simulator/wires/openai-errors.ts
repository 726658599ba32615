import type { Failure } from '../model/wire.ts';

type Kind = { type: string; code: string | null };

const KINDS: Record<number, Kind> = {
  400: { type: 'invalid_request_error', code: null },
  401: { type: 'invalid_request_error', code: 'invalid_api_key' },
  402: { type: 'insufficient_quota', code: 'insufficient_quota' },
  403: { type: 'invalid_request_error', code: 'unsupported_country_region_territory' },
  404: { type: 'invalid_request_error', code: 'model_not_found' },
  429: { type: 'requests', code: 'rate_limit_exceeded' },
};
const SERVER_ERROR: Kind = { type: 'server_error', code: null };

export const openaiErrorKind = ({ status }: Failure): Kind =>
  KINDS[status] ?? (status < 500 ? KINDS[400]! : SERVER_ERROR);

export function openaiErrorBody(failure: Failure): unknown {
  const { type, code } = openaiErrorKind(failure);
  return {
    error: { message: failure.message, type, param: failure.param ?? null, code: failure.code ?? code },
  };
}
