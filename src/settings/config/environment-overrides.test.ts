import { expect, test } from 'bun:test';
import { applyOverrides } from './apply-overrides.ts';
import { configFileOf } from './environment-overrides.ts';
import { configOf, problemsOf } from './testing/config-of.ts';

const text = 'server: { port: 1000 }\nstore: { data_dir: /from-file }\n';

test('the command line overrides the environment, which overrides the file [ADM-23]', () => {
  const environment = {
    PORT: '2000',
    DATA_DIR: '007',
    DATABASE_URL: 'postgres://u:p@h/d',
    TOLLGATE_ADMIN_TOKEN: 'a-token-of-sixteen-or-more',
  };
  const config = configOf(text, environment);
  expect(config).toMatchObject({
    server: { port: 2000, host: '127.0.0.1' },
    store: { data_dir: '007', database_url: environment.DATABASE_URL },
    admin: { token: environment.TOLLGATE_ADMIN_TOKEN },
  });
  const overridden = applyOverrides(config, { port: 3000, workers: 2 });
  expect(overridden).toMatchObject({ server: { port: 3000, workers: 2 }, store: { data_dir: '007' } });
});

test('an empty variable counts as unset', () => {
  expect(configOf(text, { PORT: '', DATA_DIR: '' })).toMatchObject({
    server: { port: 1000 },
    store: { data_dir: '/from-file' },
  });
});

test('names the variable with an invalid value [ADM-23]', () => {
  expect(problemsOf(text, { PORT: '80a' })).toEqual([
    'PORT: must be an integer, not a string; the number is a TCP port.',
  ]);
});

test('takes the file from the flag, else from the environment [ADM-23]', () => {
  expect(configFileOf('flag.yaml', { TOLLGATE_CONFIG: 'variable.yaml' })).toBe('flag.yaml');
  expect(configFileOf(undefined, { TOLLGATE_CONFIG: 'variable.yaml' })).toBe('variable.yaml');
  expect(configFileOf(undefined, { TOLLGATE_CONFIG: '' })).toBeNull();
});
