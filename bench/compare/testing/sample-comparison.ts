import type { Comparison, LoadFigures, StreamFigures } from '../comparison.ts';

const load: LoadFigures = {
  scenario: 'unary',
  system: 'tollgate',
  round: 1,
  connections: 1,
  requests: 1_000,
  failures: 0,
  badStatuses: 0,
  requestsPerSecond: 1_000,
  p50Us: 300,
  p99Us: 900,
  cpuUsPerRequest: 200,
  residentMb: 90,
};
const stream: StreamFigures = {
  system: 'tollgate',
  round: 1,
  streams: 16,
  complete: 16,
  stalled: 0,
  firstEventP50Us: 900,
  firstEventP99Us: 1_500,
  cpuUsPerStream: 4_000,
};

/** A small comparison for tests. */
export const sampleComparison: Comparison = {
  startedAt: '2026-01-02T03:04:05.000Z',
  isQuick: false,
  foreignShare: 0.012,
  machine: {
    cores: 2,
    processor: 'Test CPU',
    kernel: '6.0',
    bun: '1.4.5',
    node: null,
    wrk: '4.1.0',
    haproxy: '2.6',
    nginx: '1.22',
    loadAverage: 0,
  },
  cores: { system: '1', load: '0' },
  parameters: {
    loadRounds: 2,
    streamRounds: 1,
    seconds: 2,
    requestBytes: { unary: 1_500, agent: 250_000 },
    streamEvents: 101,
    streamIntervalMs: 20,
  },
  loads: [
    { ...load, system: 'direct', p99Us: 100, p50Us: 50, cpuUsPerRequest: null },
    load,
    { ...load, system: 'direct', round: 2, p99Us: 300, p50Us: 60, cpuUsPerRequest: null },
    { ...load, round: 2, p99Us: 1_300 },
    { ...load, system: 'haproxy', connections: 32, cpuUsPerRequest: 20, requestsPerSecond: 9_000 },
    { ...load, connections: 32, cpuUsPerRequest: 180, requestsPerSecond: 5_000, p99Us: 8_000 },
    { ...load, connections: 128, requestsPerSecond: 6_000, p99Us: 40_000, badStatuses: 3 },
    { ...load, scenario: 'agent', connections: 8, cpuUsPerRequest: 900 },
  ],
  streams: [
    { ...stream, system: 'direct', firstEventP50Us: 400, cpuUsPerStream: null },
    stream,
    { ...stream, streams: 128 },
    { ...stream, streams: 512, stalled: 1 },
  ],
  memory: [{ system: 'tollgate', idleMb: 80, loadMb: 120, afterMb: 100 }],
  skipped: [{ system: 'gomodel', scenario: null, reason: 'no program is named' }],
};
