import { expect, test } from 'bun:test';
import { configOf } from '../config/testing/config-of.ts';
import { configHash } from './config-hash.ts';

test('every setting except the place of a node changes the hash', () => {
  const config = configOf('');
  const { server, store } = config;
  const elsewhere = {
    ...config,
    server: { ...server, port: 1 },
    store: { ...store, data_dir: '/elsewhere' },
  };
  expect(configHash(elsewhere)).toBe(configHash(config));
  expect(configHash({ ...config, brand: 'other' })).not.toBe(configHash(config));
});
