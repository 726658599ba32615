import { Problem } from '../../app/problem.ts';

type Failure = {
  type?: string;
  /** A number in Gemini's dialect, which has the code in its details. */
  code?: string | number;
  message?: string;
  param?: string | null;
  details?: { metadata?: { code?: string } }[];
};
type FailedEvent = Failure & { error?: Failure; response?: { error?: Failure | null } };

/** Returns the error that a stream ended with, in the form of any dialect. */
export function streamProblem(event: unknown): Problem | undefined {
  const failure = failureIn(event as FailedEvent);
  if (!failure) return undefined;
  return new Problem({
    status: 0,
    code: codeOf(failure),
    message: failure.message ?? 'The answer was cut off by an error.',
    param: failure.param ?? null,
  });
}

function failureIn(event: FailedEvent): Failure | null | undefined {
  const { type, error, response } = event;
  if (error) return error;
  if (type === 'response.failed') return response?.error;
  return type === 'error' ? event : undefined;
}

const codeOf = ({ code, type, details }: Failure): string =>
  details?.[0]?.metadata?.code ?? (typeof code === 'string' ? code : (type ?? 'stream_failed'));
