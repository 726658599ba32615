import type { ConfigProblem } from './config-problem.ts';
import type { Config } from './config-schema.ts';

type Setting = { field: string; isSet: (config: Config) => boolean; message: string };

/** Settings that are defined but not supported by this version. The server does not start with them. */
const settings: readonly Setting[] = [
  {
    field: 'store.database_url',
    isSet: ({ store }) => store.database_url !== null,
    message: 'this version does not support Postgres; remove the setting to use the embedded store',
  },
  {
    field: 'store.redis_url',
    isSet: ({ store }) => store.redis_url !== null,
    message: 'this version cannot share limits over Redis; remove the setting',
  },
  {
    field: 'server.workers',
    isSet: ({ server }) => server.workers > 1,
    message: 'more than one process needs a shared store, which this version does not support; set it to 1',
  },
];

export const unsupportedSettings = (config: Config, file: string | null): ConfigProblem[] =>
  settings
    .filter(({ isSet }) => isSet(config))
    .map(({ field, message }) => ({ file, line: null, column: null, field, message }));
