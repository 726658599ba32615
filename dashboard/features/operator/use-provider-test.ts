import { useState } from 'preact/hooks';
import { call } from '../../app/call.ts';
import { type Action, useAction } from '../../app/use-action.ts';
import type { ProviderTest } from './rows.ts';

/**
 * Calls a provider for real. `test` is the latest result. It is undefined while a call is under way, and
 * after a change of the body.
 */
export function useProviderTest(
  path: string,
  body: object,
): { test: ProviderTest | undefined; run: Action<[]> } {
  const [latest, setLatest] = useState<{ order: string; test: ProviderTest }>();
  const order = JSON.stringify(body);
  const run = useAction(async () => {
    setLatest(undefined);
    setLatest({ order, test: await call<ProviderTest>('POST', path, body) });
  });
  return { test: latest?.order === order ? latest.test : undefined, run };
}
