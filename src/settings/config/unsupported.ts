import type { SchemaProblem } from '../../base/schema/schema-problem.ts';
import type { Config } from './config-schema.ts';

type Setting = { path: string[]; isSet: (config: Config) => boolean; message: string };

/** Settings that are defined but not supported by this version. The server does not start with them. */
const settings: readonly Setting[] = [
  {
    path: ['store', 'redis_url'],
    isSet: ({ store }) => store.redis_url !== null,
    message: 'this version cannot share limits over Redis; remove the setting',
  },
  {
    path: ['server', 'workers'],
    isSet: ({ server, store }) => server.workers > 1 && store.database_url === null,
    message: 'several processes need a shared store; set store.database_url or DATABASE_URL, or set it to 1',
  },
];

export const unsupportedSettings = (config: Config): SchemaProblem[] =>
  settings.filter(({ isSet }) => isSet(config)).map(({ path, message }) => ({ path, message }));
