import type { ConfigProblem } from './config-problem.ts';
import type { Config } from './config-schema.ts';

type Setting = { field: string; isSet: (config: Config) => boolean; message: string };

/** Settings that have their place already and that this version cannot fulfil: better no start than a silent other store. */
const settings: readonly Setting[] = [
  {
    field: 'store.database_url',
    isSet: ({ store }) => store.database_url !== null,
    message: 'this version has no Postgres store yet; leave it out to use the embedded one',
  },
  {
    field: 'store.redis_url',
    isSet: ({ store }) => store.redis_url !== null,
    message: 'this version cannot share limits over Redis yet; leave it out',
  },
  {
    field: 'server.workers',
    isSet: ({ server }) => server.workers > 1,
    message: 'more than one process needs a shared store, which this version has not; set it to 1',
  },
];

export const unsupportedSettings = (config: Config, file: string | null): ConfigProblem[] =>
  settings
    .filter(({ isSet }) => isSet(config))
    .map(({ field, message }) => ({ file, line: null, column: null, field, message }));
