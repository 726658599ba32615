import type { ListedRequest } from '../../../src/console/dashboard/request-schema.ts';
import { Badge, type Tone } from '../../components/badge.tsx';

/** The tone of a request: an error of its own, one of the server, or none. */
export function toneOf({ status, refusal }: Pick<ListedRequest, 'status' | 'refusal'>): Tone {
  const worst = Math.max(status ?? 0, refusal?.status ?? 0);
  if (worst >= 500) return 'bad';
  return worst >= 400 || status === null ? 'warning' : 'good';
}

/** The status of an answer. A stream can fail after its head with status 200. */
export function RequestStatus({ request }: { request: Pick<ListedRequest, 'status' | 'refusal'> }) {
  const { status, refusal } = request;
  const isLate = refusal !== null && status !== null && status < 400;
  return <Badge tone={toneOf(request)}>{isLate ? `${status}, failed` : (status ?? 'No answer')}</Badge>;
}
