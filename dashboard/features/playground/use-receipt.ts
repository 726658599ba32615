import { useEffect, useState } from 'preact/hooks';
import { call } from '../../app/call.ts';
import { inOrganization } from '../../app/session.ts';

/** The parts of a request's details that this page shows. */
export type SettledRequest = {
  request: {
    first_token_ms: number | null;
    refusal: { sentence: string; advice: { text: string; page: string | null } | null } | null;
  } | null;
  receipt: {
    microcredits: number;
    explanation: string;
    tokens: {
      uncached_input: number;
      cached_input: number;
      cache_write_input: number;
      output: number;
      reasoning: number;
      estimated: boolean;
    };
  } | null;
};

const TRIES = 8;
const PAUSE_MS = 400;

export type Receipt = { settled: SettledRequest | undefined; isWaiting: boolean };

/**
 * Reads the receipt of a request.
 * A request that was stopped is settled a moment later, so this asks several times.
 */
export function useReceipt(requestId: string | null, isCharged: boolean): Receipt {
  const [settled, setSettled] = useState<SettledRequest>();
  const [isWaiting, setWaiting] = useState(true);
  useEffect(() => {
    setSettled(undefined);
    setWaiting(requestId !== null);
    if (requestId === null) return;
    const control = new AbortController();
    const { signal } = control;
    void ask(requestId, isCharged, { signal, onAnswer: setSettled }).then(
      () => !signal.aborted && setWaiting(false),
    );
    return () => control.abort();
  }, [requestId, isCharged]);
  return { settled, isWaiting };
}

type Asking = { signal: AbortSignal; onAnswer(settled: SettledRequest): void };

async function ask(requestId: string, isCharged: boolean, { signal, onAnswer }: Asking): Promise<void> {
  const path = inOrganization(`/requests/${encodeURIComponent(requestId)}`)!;
  for (let tries = 0; tries < TRIES && !signal.aborted; tries++) {
    const settled = await call<SettledRequest>('GET', path, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    if (settled) onAnswer(settled);
    if (settled?.request && (settled.receipt || !isCharged)) return;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
