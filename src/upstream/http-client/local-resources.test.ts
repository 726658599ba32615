import { expect, jest, test } from 'bun:test';
import { LocallyStarved, LocalResources } from './local-resources.ts';

const failure = (code: string) => Object.assign(new Error('Failed to connect'), { code });

function setUp({ descriptorsAreGone = false, portsAreShort = false } = {}) {
  const reported: string[] = [];
  const resources = new LocalResources({
    descriptorsAreGone: () => descriptorsAreGone,
    arePortsShort: () => portsAreShort,
    onChange: (resource, state) => reported.push(`${resource} ${state}`),
  });
  const lackedFor = (code: string) => {
    const explained = resources.explain(failure(code));
    return explained instanceof LocallyStarved ? explained.resource : undefined;
  };
  return { reported, resources, lackedFor };
}

test('distinguishes shortages of this machine from faults of a host', () => {
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
    none,
    none,
    none,
    none,
  ]);
  expect(setUp({ portsAreShort: true }).lackedFor('EADDRNOTAVAIL')).toBe('ports');
});

test('attributes a refused connection and an unknown name to this machine if descriptors are exhausted', () => {
  const { lackedFor, resources } = setUp({ descriptorsAreGone: true });
  expect(['ECONNREFUSED', 'ENOTFOUND'].map(lackedFor)).toEqual(['descriptors', 'descriptors']);
  const timeout = new Error('connect');
  expect(resources.explain(timeout)).toBe(timeout);
});

test('reports an exhaustion once and its end after ten seconds without a failure', () => {
  jest.useFakeTimers();
  try {
    const { reported, lackedFor, resources } = setUp();
    for (let count = 0; count < 3; count++) {
      lackedFor('EMFILE');
      jest.advanceTimersByTime(9_000);
    }
    lackedFor('ENOBUFS');
    expect(reported).toEqual(['descriptors exhausted', 'buffers exhausted']);
    expect(resources.counts.descriptors.failures).toBe(3);
    expect(resources.counts.buffers.failures).toBe(1);
    jest.advanceTimersByTime(10_000);
    expect(reported).toEqual([
      'descriptors exhausted',
      'buffers exhausted',
      'descriptors back',
      'buffers back',
    ]);
    lackedFor('EMFILE');
    expect(reported.at(-1)).toBe('descriptors exhausted');
  } finally {
    jest.useRealTimers();
  }
});
