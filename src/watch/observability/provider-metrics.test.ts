import { expect, test } from 'bun:test';
import type { Provider } from '../../settings/hosts/providers.ts';
import type { CircuitState } from '../../upstream/routing/circuit.ts';
import { providerMetrics } from './provider-metrics.ts';

const provider = (id: string, maxConcurrent: number | null) => ({ id, maxConcurrent }) as Provider;

const sources = (circuit: CircuitState) => ({
  providers: () => [provider('bounded', 8), provider('free', null)],
  activity: {
    counts: (id: string) => ({ requestsTotal: id.length, errorsTotal: 1 }),
    isKeyRefused: (id: string) => id === 'free',
    faultOf: (id: string) => ({ cause: id === 'bounded' ? 'out_of_credit' : 'key_refused' }) as const,
    isDrained: (id: string) => id === 'bounded',
  },
  capacity: {
    inUse: () => 3,
    waitingFor: (id: string, planClass: string) => (id === 'bounded' && planClass === 'paid' ? 5 : 0),
  },
  routing: { targetsOf: (id: string) => (id === 'free' ? [{ model: 'm', circuit }] : []) },
});

const samples = (circuit: CircuitState): string[] =>
  providerMetrics(sources(circuit))
    .flatMap((metric) => metric.format().split('\n'))
    .filter((line) => line !== '' && !line.startsWith('#'));

test('each provider has its slots, queue, calls, key, credit and possible limit', () => {
  const lines = samples('closed');
  expect(lines.filter((line) => line.startsWith('tollgate_provider_slots{'))).toEqual([
    'tollgate_provider_slots{provider="bounded"} 8',
  ]);
  for (const line of [
    'tollgate_provider_slots_in_use{provider="free"} 3',
    'tollgate_provider_attempts_total{provider="bounded"} 7',
    'tollgate_provider_errors_total{provider="bounded"} 1',
    'tollgate_provider_key_refused{provider="free"} 1',
    'tollgate_provider_key_refused{provider="bounded"} 0',
    'tollgate_provider_out_of_credit{provider="free"} 0',
    'tollgate_provider_out_of_credit{provider="bounded"} 1',
    'tollgate_provider_drained{provider="bounded"} 1',
    'tollgate_provider_queue_length{provider="bounded",class="paid"} 5',
    'tollgate_provider_queue_length{provider="bounded",class="flex"} 0',
  ])
    expect(lines).toContain(line);
});

test('exactly the current state of a circuit breaker is 1', () => {
  for (const state of ['closed', 'half-open', 'open'] as const)
    expect(samples(state).filter((line) => /^tollgate_breaker_state.* 1$/.test(line))).toEqual([
      `tollgate_breaker_state{provider="free",model="m",state="${state}"} 1`,
    ]);
});
