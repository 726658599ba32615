import type { StoreKind } from '../gateway/store-kind.ts';
import type { SourceChange } from '../load-sources.ts';

/** A deliberate fault of the money, queue and limit code. Simulated runs must find it. */
export type Mutant = { name: string; store: StoreKind; change: SourceChange };

/** Makes a fault of a process that serves alone. */
export const row = (name: string, file: string, before: string, after: string): Mutant => ({
  name,
  store: 'sqlite',
  change: { file: `src/${file}`, before, after },
});
