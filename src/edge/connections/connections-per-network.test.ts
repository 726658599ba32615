import { expect, test } from 'bun:test';
import { connectionsPerNetwork } from './connections-per-network.ts';
import { descriptorLimit } from './descriptor-limit.ts';

const limits = (soft: string) => () =>
  `Limit  Soft Limit  Hard Limit  Units\nMax open files            ${soft}                 4096                 files\n`;

test('one network can have a quarter of the descriptors, and at most 2,048 connections', () => {
  const of = (soft: string) => connectionsPerNetwork(descriptorLimit(limits(soft)));
  expect([of('600'), of('1048576'), of('unlimited'), of('1')]).toEqual([150, 2_048, 2_048, 1]);
  expect(connectionsPerNetwork(descriptorLimit(() => ''))).toBe(2_048);
});
