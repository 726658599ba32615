import type { ErrorCode } from '../../base/errors/catalogue.ts';
import { Refusal, type RefusalDetails } from '../../base/errors/refusal.ts';

/** The part of a refusal that its client sees. */
type KeptRefusal = { code: ErrorCode } & Pick<
  RefusalDetails,
  'message' | 'param' | 'isVerbatim' | 'retryAfterMs' | 'fields' | 'headers'
>;

/** Formats a refusal for processes whose clients wait for the same answer. */
export function formatRefusal({ code, message, param, details }: Refusal): string {
  const { isVerbatim, retryAfterMs, fields, headers } = details;
  return JSON.stringify({
    code,
    message,
    param,
    ...(isVerbatim !== undefined && { isVerbatim }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(fields && { fields }),
    ...(headers && { headers }),
  } satisfies KeptRefusal);
}

/** Parses a refusal that `formatRefusal()` has formatted. */
export function parseRefusal(text: string): Refusal {
  const { code, ...details } = JSON.parse(text) as KeptRefusal;
  return new Refusal(code, details);
}
