import type { ListedRequest } from '../../src/console/dashboard/request-schema.ts';
import { Badge, type Tone } from './badge.tsx';

/** The members of a request that show how it ended. */
type RequestOutcome = Pick<ListedRequest, 'status' | 'refusal'>;

/** Returns the tone of a request: `bad` for an error of the server, and `warning` for a refused request. */
export function toneOf({ status, refusal }: RequestOutcome): Tone {
  const worst = Math.max(status ?? 0, refusal?.status ?? 0);
  if (worst >= 500) return 'bad';
  return worst >= 400 || status === null ? 'warning' : 'good';
}

/** The status of an answer. A stream can fail after its head with status 200. */
export function RequestStatus({ request }: { request: RequestOutcome }) {
  const { status, refusal } = request;
  const isLate = refusal !== null && status !== null && status < 400;
  return <Badge tone={toneOf(request)}>{isLate ? `${status}, failed` : (status ?? 'No answer')}</Badge>;
}
