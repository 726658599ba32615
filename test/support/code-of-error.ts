import type { Json } from './call.ts';

/** Returns the code of an error in any envelope. */
export function codeOfError(body: Json): string | undefined {
  const error = body?.error;
  const named: unknown = error?.details?.[0]?.metadata?.code ?? error?.code ?? error?.type;
  return typeof named === 'string' ? named : undefined;
}
