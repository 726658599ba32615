import type { StoreKind } from './gateway/store-kind.ts';
import type { SourceChange } from './load-sources.ts';

/** Deliberate faults of the money, queue and limit code. Simulated runs must find each of them. */
export type Mutant = { name: string; store: StoreKind; change: SourceChange };

/** A fault of the embedded store, or of what both stores share. */
export const row = (name: string, file: string, before: string, after: string): Mutant => ({
  name,
  store: 'sqlite',
  change: { file: `src/${file}`, before, after },
});

/** Makes a fault of several nodes on one database. */
export const nodes = (name: string, file: string, before: string, after: string): Mutant => ({
  ...row(name, `store/postgres/${file}`, before, after),
  store: 'postgres',
});
