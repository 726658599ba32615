import { expect, test } from 'bun:test';
import { applyOverrides } from './apply-overrides.ts';
import { formatProblem } from './config-problem.ts';
import { configFileOf } from './environment-overrides.ts';
import { parseConfig } from './load-config.ts';

const text = 'server: { port: 1000 }\nstore: { data_dir: /from-file }\n';

const load = (environment: Record<string, string>) => parseConfig({ text, file: 'f.yaml', environment });

test('the command line overrides the environment, which overrides the file [ADM-23]', () => {
  const environment = {
    PORT: '2000',
    DATA_DIR: '007',
    DATABASE_URL: 'postgres://u:p@h/d',
    TOLLGATE_ADMIN_TOKEN: 'a-token-of-sixteen-or-more',
  };
  const loaded = load(environment);
  if ('problems' in loaded) throw new Error(loaded.problems.map(formatProblem).join());
  expect(loaded.config).toMatchObject({
    server: { port: 2000, host: '127.0.0.1' },
    store: { data_dir: '007', database_url: environment.DATABASE_URL },
    admin: { token: environment.TOLLGATE_ADMIN_TOKEN },
  });
  const overridden = applyOverrides(loaded.config, { port: 3000, workers: 2 });
  expect(overridden).toMatchObject({ server: { port: 3000, workers: 2 }, store: { data_dir: '007' } });
});

test('an empty variable counts as unset', () => {
  expect(load({ PORT: '', DATA_DIR: '' })).toMatchObject({
    config: { server: { port: 1000 }, store: { data_dir: '/from-file' } },
  });
});

test('names the variable with an invalid value [ADM-23]', () => {
  const loaded = load({ PORT: '80a' });
  expect('problems' in loaded && loaded.problems.map(formatProblem)).toEqual([
    'PORT: must be an integer, not a string; the number is a TCP port.',
  ]);
});

test('takes the file from the flag, else from the environment [ADM-23]', () => {
  expect(configFileOf('flag.yaml', { TOLLGATE_CONFIG: 'variable.yaml' })).toBe('flag.yaml');
  expect(configFileOf(undefined, { TOLLGATE_CONFIG: 'variable.yaml' })).toBe('variable.yaml');
  expect(configFileOf(undefined, { TOLLGATE_CONFIG: '' })).toBeNull();
});
