import { useEffect, useState } from 'preact/hooks';
import type { RequestDetail } from '../../../src/console/dashboard/request-schema.ts';
import { call } from '../../app/call.ts';
import { asProblem, Problem } from '../../app/problem.ts';
import { inOrganization } from '../../app/session.ts';

/** The parts of a request's details that this page shows. */
export type SettledRequest = Pick<RequestDetail, 'request' | 'receipt'>;

const TRIES = 8;
const PAUSE_MS = 400;

export type Receipt = { settled: SettledRequest | undefined; isWaiting: boolean };

/** Reads the receipt of a request, in several tries, since a stopped request is settled a moment later. */
export function useReceipt(requestId: string | null, { isCharged }: { isCharged: boolean }): Receipt {
  const [settled, setSettled] = useState<SettledRequest>();
  const [isWaiting, setWaiting] = useState(true);
  useEffect(() => {
    setSettled(undefined);
    setWaiting(requestId !== null);
    if (requestId === null) return;
    const path = inOrganization(`/requests/${encodeURIComponent(requestId)}`);
    if (path === null) return setWaiting(false);
    const control = new AbortController();
    const { signal } = control;
    void poll({ path, isCharged, signal, onAnswer: setSettled }).then(
      () => !signal.aborted && setWaiting(false),
    );
    return () => control.abort();
  }, [requestId, isCharged]);
  return { settled, isWaiting };
}

type Poll = {
  path: string;
  isCharged: boolean;
  signal: AbortSignal;
  onAnswer(settled: SettledRequest): void;
};

/** Asks until the request is settled, with a pause between two tries. */
async function poll({ path, isCharged, signal, onAnswer }: Poll): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    if (tries > 0) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    if (signal.aborted) return;
    const settled = await call<SettledRequest>('GET', path, undefined, { signal }).catch(asProblem);
    if (signal.aborted) return;
    if (settled instanceof Problem) {
      if (isFinal(settled)) return;
      continue;
    }
    onAnswer(settled);
    if (settled.request && (settled.receipt || !isCharged)) return;
  }
}

/** A person who may not see the request never gets its receipt. Any other failure can pass. */
const isFinal = ({ status }: Problem): boolean => status === 401 || status === 403;
