import { expect, test } from 'bun:test';
import { connectionsPerNetwork } from './connections-per-network.ts';

test('one network can have a quarter of the descriptors, at most 2,048', () => {
  expect(connectionsPerNetwork(600)).toBe(150);
  expect(connectionsPerNetwork(1)).toBe(1);
  expect(connectionsPerNetwork(1_048_576)).toBe(2_048);
  expect(connectionsPerNetwork(undefined)).toBe(2_048);
});
