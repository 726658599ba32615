import { expect, test } from 'bun:test';
import { MINUTE_MS } from '../../base/lib/units.ts';
import type { Provider } from '../../settings/hosts/providers.ts';
import type { AttemptOutcome } from '../../upstream/calling/attempt-outcome.ts';
import { ProviderActivity } from '../../upstream/calling/provider-activity.ts';
import type { UpstreamFailure } from '../../upstream/calling/upstream-failure.ts';
import type { AlertNews } from './alert.ts';
import { ProviderAlerts } from './provider-alerts.ts';

const silent = {
  firstByte() {},
  failed: (failure: UpstreamFailure) => failure,
  trouble: () => undefined,
  end() {},
};

function setUp(mode: Provider['mode'] = 'live') {
  const state = { now: Date.parse('2026-05-01T00:00:00Z'), isConfigured: true };
  const raised: string[] = [];
  const news: AlertNews[] = [];
  const quiet = new Map<string, number>();
  const extended: string[] = [];
  const activity = new ProviderActivity({ now: () => state.now });
  const alerts = new ProviderAlerts({
    service: {
      hasRaised: (name) => (quiet.get(name) ?? 0) > state.now,
      raise: ({ name, until }, report) => {
        raised.push(name);
        news.push(report() as AlertNews);
        quiet.set(name, until!);
      },
      extend: (name, until) => {
        extended.push(`${name} ${until - state.now}`);
        quiet.set(name, Math.max(until, quiet.get(name) ?? 0));
      },
    },
    providers: () => (state.isConfigured ? [{ id: 'local', mode, maxConcurrent: null } as Provider] : []),
    activity,
    now: () => state.now,
  });
  activity.observeFaults((...change) => alerts.reportFault(...change));
  const run = (outcome: AttemptOutcome, times = 1) => {
    for (let count = 0; count < times; count++) activity.begin('local').end(outcome);
  };
  const look = (times: number) => {
    for (let count = 0; count < times; count++) alerts.look();
  };
  const pass = (ms: number) => {
    state.now += ms;
  };
  const configure = (isConfigured: boolean) => {
    state.isConfigured = isConfigured;
    activity.follow(isConfigured ? [{ id: 'local' }] : []);
  };
  return { activity, raised, news, extended, run, look, pass, configure };
}

test('reports a provider that two looks in a row find down, once', () => {
  const { raised, run, look } = setUp();
  run('error', 5);
  look(1);
  expect(raised).toEqual([]);
  look(5);
  expect(raised).toEqual(['provider_down local']);
});

test('extends an alert once a minute while the provider is down, so that no other process reports it again', () => {
  const { raised, extended, run, look, pass } = setUp();
  run('error', 5);
  look(2);
  for (let minute = 0; minute < 30; minute++) {
    look(12);
    pass(MINUTE_MS);
    run('error', 5);
  }
  expect(raised).toEqual(['provider_down local']);
  expect(extended).toEqual(Array(30).fill(`provider_down local ${5 * MINUTE_MS}`));
  run('ok', 20);
  pass(10 * MINUTE_MS);
  look(5);
  expect(extended.length).toBe(30);
});

test('extends an alert about a refused key while the key is refused', () => {
  const { raised, extended, run, look, pass } = setUp();
  run('key-refused', 3);
  look(3);
  pass(20 * MINUTE_MS);
  look(3);
  run('ok', 1);
  pass(20 * MINUTE_MS);
  look(3);
  expect(raised).toEqual(['provider_key_refused local']);
  expect(extended).toEqual(Array(2).fill(`provider_key_refused local ${2 * MINUTE_MS}`));
});

test('reports nothing about a moment of bad luck', () => {
  const { raised, run, look } = setUp();
  run('error', 3);
  look(1);
  run('ok', 20);
  look(1);
  run('error', 30);
  look(1);
  expect(raised).toEqual([]);
});

test('reports a provider again only after minutes without an error and with a success', () => {
  const { raised, run, look, pass } = setUp();
  const fail = () => {
    run('error', 5);
    look(3);
  };
  fail();
  pass(MINUTE_MS);
  run('ok', 20);
  look(1);
  fail(); // it was well for too short a time
  pass(20 * MINUTE_MS);
  look(1);
  fail(); // nothing had succeeded in these minutes except before the errors
  expect(raised.length).toBe(2);
  pass(20 * MINUTE_MS);
  look(1);
  fail();
  expect(raised.length).toBe(2); // without requests, a provider is not known to be well
});

test('a call whose client has left does not count as a success after an outage', () => {
  const { raised, run, look, pass } = setUp();
  run('error', 5);
  look(2);
  run('canceled', 1);
  pass(20 * MINUTE_MS);
  look(1);
  run('error', 5);
  look(2);
  expect(raised).toEqual(['provider_down local']);
});

test('a failed probe counts as down, and a probe that succeeds as well', () => {
  const { activity, raised, look, pass } = setUp();
  activity.probed('local', { outcome: 'timeout', latencyMs: 1 });
  look(2);
  expect(raised.length).toBe(1);
  activity.probed('local', { outcome: 'ok', latencyMs: 1 });
  pass(16 * MINUTE_MS);
  look(1);
  activity.probed('local', { outcome: 'error', latencyMs: 1 });
  look(2);
  expect(raised.length).toBe(2);
});

test('a refused key is not reported as a provider that is down', () => {
  const { raised, run, look } = setUp();
  run('key-refused', 5);
  look(3);
  expect(raised).toEqual(['provider_key_refused local']);
});

test('a relapse within the quiet time is reported when that time has ended', () => {
  const { raised, run, look, pass } = setUp();
  run('key-refused', 3);
  run('ok', 1);
  run('key-refused', 3);
  look(3);
  expect(raised.length).toBe(1);
  pass(16 * MINUTE_MS);
  look(3);
  expect(raised).toEqual(['provider_key_refused local', 'provider_key_refused local']);
});

test('a wrong clock is not reported as a refused key', () => {
  const { activity, raised, news, look } = setUp();
  const said = { status: 403, type: null, code: null, requestId: null, param: null };
  const trouble = { ...said, message: 'Signature expired: it is old', fault: 'clock_skew' as const };
  for (let count = 0; count < 3; count++) activity.batchCalled('local', 'key-refused', trouble);
  look(3);
  expect(raised).toEqual(['provider_down local']);
  expect(activity.isKeyRefused('local')).toBe(false);
  expect(news[0]!.data).toMatchObject({ cause: 'clock_skew', status: 403, reason: trouble.message });
  expect(news[0]!.message).toContain('Synchronize the clock of this machine');
});

test('an account without credit is reported at once, until a call succeeds', () => {
  const { activity, raised, news, look, pass } = setUp();
  const said = { status: 402, type: null, code: null, requestId: null, param: null };
  const trouble = { ...said, model: 'm', message: 'Pay.', fault: 'out_of_credit' as const };
  const call = (outcome: AttemptOutcome) =>
    activity
      .begin('local', { ...silent, model: 'm', trouble: () => (outcome === 'ok' ? undefined : trouble) })
      .end(outcome);
  call('error');
  look(3);
  expect(raised).toEqual(['provider_down local']);
  expect(news[0]!.data).toMatchObject({ cause: 'out_of_credit', status: 402, reason: 'Pay.', model: 'm' });
  const fault = () => activity.faultOf('local')?.cause;
  pass(20 * MINUTE_MS);
  activity.probed('local', { outcome: 'ok', latencyMs: 1 });
  expect(fault()).toBe('out_of_credit');
  call('ok');
  expect(fault()).toBeUndefined();
});

test('refusals that other calls of the provider hide are reported after three within five minutes', () => {
  const { activity, raised, pass, look } = setUp();
  const call = (model: string, outcome: AttemptOutcome) =>
    activity.begin('local', { ...silent, model }).end(outcome);
  for (let count = 0; count < 3; count++) {
    call('barred', 'key-refused');
    call('other', 'ok');
    pass(2 * MINUTE_MS);
  }
  expect(activity.view({ id: 'local', maxConcurrent: null })).toMatchObject({
    health: 'faulty',
    keyRefusedSince: null,
    fault: { cause: 'key_refused', model: 'barred', isAlarming: true },
  });
  look(1);
  expect(raised).toEqual(['provider_key_refused local']);
  call('barred', 'ok');
  expect(activity.view({ id: 'local', maxConcurrent: null })).toMatchObject({ health: 'up', fault: null });
});

test('a provider that was removed while it was down is reported again after its return', () => {
  const { raised, run, look, pass, configure } = setUp();
  run('error', 5);
  look(2);
  configure(false);
  look(1);
  pass(20 * MINUTE_MS);
  configure(true);
  run('ok', 1);
  run('error', 5);
  look(2);
  expect(raised).toEqual(['provider_down local', 'provider_down local']);
});

test('drained and simulated providers are not reported', () => {
  const drained = setUp();
  drained.activity.drain('local');
  drained.run('error', 5);
  drained.look(3);
  const simulated = setUp('simulated');
  simulated.run('error', 5);
  simulated.look(3);
  expect({ drained: drained.raised, simulated: simulated.raised }).toEqual({ drained: [], simulated: [] });
});
