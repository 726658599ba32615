import { useEffect, useState } from 'preact/hooks';
import { call } from '../../app/call.ts';
import { asProblem, type Problem } from '../../app/problem.ts';
import { inOrganization } from '../../app/session.ts';
import type { PlaygroundDialect } from './dialects.ts';
import type { RequestBody } from './request-body.ts';

type Check = { admitted: boolean; error?: { code: string; message: string } };

/** The answer of `POST /v1/quote`. */
type QuoteAnswer = {
  estimated_input_tokens: number;
  max_output_tokens: number | null;
  credits: { lowest: number; highest: number };
  admitted: boolean;
  checks: Record<string, Check>;
};

export type Quoted = { quote?: QuoteAnswer; problem?: Problem };

const PAUSE_MS = 900;

/** Asks what the request would cost when the typing pauses. Null asks for nothing. */
export function useQuote(
  body: RequestBody | null,
  { dialect, paymentHeader }: { dialect: PlaygroundDialect; paymentHeader: string | null },
): Quoted {
  const [quoted, setQuoted] = useState<Quoted>({});
  const text = body && JSON.stringify(body);
  useEffect(() => {
    setQuoted({});
    if (text === null) return;
    const control = new AbortController();
    const path = inOrganization(`/playground/quote?endpoint=${encodeURIComponent(dialect.path)}`)!;
    const headers = paymentHeader ? { [paymentHeader]: 'payg' } : {};
    const timer = setTimeout(() => {
      call<QuoteAnswer>('POST', path, JSON.parse(text), { signal: control.signal, headers }).then(
        (quote) => setQuoted({ quote }),
        (error) => !control.signal.aborted && setQuoted({ problem: asProblem(error) }),
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      control.abort();
    };
  }, [text, dialect.path, paymentHeader]);
  return quoted;
}
