import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { storeKinds } from './gateway/store-kind.ts';
import { loadSources, type SourceChange } from './load-sources.ts';

// Runs simulations: `npm run explore -- --seed N [--seeds K] [--store postgres] [--trace] [--change FILE]`.
// docs/simulation.md describes them.

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '1' },
    /** The store of the gateway: `sqlite`, or `postgres` with several nodes. */
    store: { type: 'string', default: 'sqlite' },
    /** Prints everything that happens. */
    trace: { type: 'boolean', default: false },
    /** Ends after this many seeds that failed. */
    failures: { type: 'string', default: '10' },
    /** A file with changes of the program's sources, as JSON. */
    change: { type: 'string' },
  },
});
const changes: SourceChange[] = values.change ? JSON.parse(readFileSync(values.change, 'utf8')) : [];
loadSources(changes);
// Everything else is imported after the loader is in place.
const { exploreSeeds } = await import('./explore-seeds.ts');
const store = storeKinds.find((kind) => kind === values.store);
if (!store) throw new Error(`--store is one of ${storeKinds.join(', ')}`);
const isWell = await exploreSeeds({
  first: Number(values.seed),
  count: Number(values.seeds),
  store,
  maxFailures: Number(values.failures),
  isTraced: values.trace,
});
process.exit(isWell ? 0 : 1);
