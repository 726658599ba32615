import { useState } from 'preact/hooks';
import { call } from '../../app/call.ts';
import { type Action, useAction } from '../../app/use-action.ts';
import type { ProviderTest } from './rows.ts';

/** Calls a provider for real. `test` is the latest result, and undefined while a call is under way. */
export function useProviderTest(
  path: string,
  body: object,
): { test: ProviderTest | undefined; run: Action<[]> } {
  const [test, setTest] = useState<ProviderTest>();
  const run = useAction(async () => {
    setTest(undefined);
    setTest(await call<ProviderTest>('POST', path, body));
  });
  return { test, run };
}
