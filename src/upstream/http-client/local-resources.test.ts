import { expect, jest, test } from 'bun:test';
import { LocallyStarved, LocalResources } from './local-resources.ts';

const failure = (code: string) => Object.assign(new Error('Failed to connect'), { code });

function setUp({ descriptorsAreGone = false, portsAreShort = false } = {}) {
  const told: string[] = [];
  const resources = new LocalResources({
    descriptorsAreGone: () => descriptorsAreGone,
    portsAreShort: () => portsAreShort,
    changed: (resource, isOut) => told.push(`${resource} ${isOut ? 'out' : 'back'}`),
  });
  const lackedFor = (code: string) => {
    const explained = resources.explain(failure(code));
    return explained instanceof LocallyStarved ? explained.resource : undefined;
  };
  return { told, resources, lackedFor };
}

test('what the machine lacks is told from what a host does', () => {
  const codes = [
    'EMFILE',
    'ENFILE',
    'ENOBUFS',
    'ENOMEM',
    'EADDRNOTAVAIL',
    'ECONNREFUSED',
    'ENOTFOUND',
    'ECONNRESET',
  ];
  const none = undefined;
  expect(codes.map(setUp().lackedFor)).toEqual([
    ...(['descriptors', 'descriptors', 'buffers', 'buffers'] as const),
    ...[none, none, none, none],
  ]);
  expect(setUp({ portsAreShort: true }).lackedFor('EADDRNOTAVAIL')).toBe('ports');
});

test('without descriptors a refusal and an unknown name are our own, since the runtime says so of a socket that it does not get', () => {
  const { lackedFor, resources } = setUp({ descriptorsAreGone: true });
  expect(['ECONNREFUSED', 'ENOTFOUND'].map(lackedFor)).toEqual(['descriptors', 'descriptors']);
  const timeout = new Error('connect');
  expect(resources.explain(timeout)).toBe(timeout);
});

test('an exhaustion is told once and counted each time, and its end is told when ten seconds have passed without', () => {
  jest.useFakeTimers();
  try {
    const { told, lackedFor, resources } = setUp();
    for (let count = 0; count < 3; count++) {
      lackedFor('EMFILE');
      jest.advanceTimersByTime(9_000);
    }
    lackedFor('ENOBUFS');
    expect(told).toEqual(['descriptors out', 'buffers out']);
    expect([resources.counts.descriptors.failures, resources.counts.buffers.failures]).toEqual([3, 1]);
    jest.advanceTimersByTime(10_000);
    expect(told).toEqual(['descriptors out', 'buffers out', 'descriptors back', 'buffers back']);
    lackedFor('EMFILE');
    expect(told.at(-1)).toBe('descriptors out');
  } finally {
    jest.useRealTimers();
  }
});
