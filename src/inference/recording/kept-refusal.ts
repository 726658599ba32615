import type { ErrorCode } from '../../base/errors/catalogue.ts';
import { Refusal, type RefusalDetails } from '../../base/errors/refusal.ts';

/** Writes what a client sees of a refusal, for those who wait for the answer in other processes. */
export function refusalText({ code, message, param, details }: Refusal): string {
  const { isVerbatim, retryAfterMs, fields, headers } = details;
  return JSON.stringify({ code, message, param, isVerbatim, retryAfterMs, fields, headers });
}

export function refusalOfText(text: string): Refusal {
  const { code, ...details } = JSON.parse(text) as RefusalDetails & { code: ErrorCode };
  return new Refusal(code, details);
}
