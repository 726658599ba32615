import { join } from 'node:path';
import { repeatCall, shareOf } from './repeat-call.ts';
import type { StrainedGateway } from './start-strained-gateway.ts';

const PING_MS = 20;
const SIGN_IN_MS = 1_000;
/** Below the 20 attempts for one address in ten minutes. */
const SIGN_INS = 12;
const QUIET_MS = 4_000;
/** The time that the generator needs to start. The flood is measured from its first request on. */
const START_MS = 200;
const EMAIL = 'operator@example.com';
const PASSWORD = 'a long enough password';

/** The generator reports client addresses as a proxy does. */
export const floodSettings = { server: { drain_notice_s: 0, trusted_proxies: ['127.0.0.1'] } };

type SignIn = { body: object; path?: string; headers?: Record<string, string> };

async function post({ url }: StrainedGateway, { body, path = 'sign-in', headers }: SignIn) {
  const asked = performance.now();
  const answer = await fetch(`${url}/dashboard/v1/session/${path}`, {
    method: 'POST',
    headers: { origin: url, ...headers },
    body: JSON.stringify(body),
  });
  await answer.text();
  return { answer, tookMs: performance.now() - asked };
}

async function ping({ url }: StrainedGateway): Promise<number> {
  const asked = performance.now();
  await (await fetch(`${url}/healthz`)).text();
  return performance.now() - asked;
}

/** Measures the same figures without the flood, since other work of the machine is in both. */
async function quietly(gateway: StrainedGateway): Promise<string> {
  const stop = repeatCall(() => ping(gateway), PING_MS);
  await Bun.sleep(QUIET_MS);
  const pings = await stop();
  return `${shareOf(pings, 0.5)} ms and ${shareOf(pings, 0.99)} ms`;
}

/**
 * Signs people in with the right password during a flood of wrong ones: from another
 * network, and on a known device.
 */
export async function signInFlood(gateway: StrainedGateway): Promise<string> {
  const person = { email: EMAIL, password: PASSWORD, name: 'Operator', token: gateway.token };
  const { answer } = await post(gateway, { body: person, path: 'admin-token' });
  const cookie = answer.headers.getSetCookie().map((header) => header.split(';')[0]!);
  const before = await quietly(gateway);
  const flood = Bun.spawn([process.execPath, join(import.meta.dir, 'flood-sign-in.ts')], {
    env: { ...process.env, FLOOD_PORT: String(gateway.port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  try {
    await Bun.sleep(START_MS);
    const stop = repeatCall(() => ping(gateway), PING_MS);
    const credentials = { email: EMAIL, password: PASSWORD };
    const [other, device]: [number[], number[]] = [[], []];
    const statuses = new Set<number>();
    for (let count = 0; count < SIGN_INS; count++) {
      const strange = await post(gateway, {
        body: credentials,
        headers: { 'x-forwarded-for': '192.0.2.1' },
      });
      const known = await post(gateway, {
        body: credentials,
        headers: { 'x-forwarded-for': '2001:db8:0:100::9', cookie: cookie.join('; ') },
      });
      other.push(strange.tookMs);
      device.push(known.tookMs);
      statuses.add(strange.answer.status).add(known.answer.status);
      await Bun.sleep(SIGN_IN_MS);
    }
    const pings = await stop();
    return [
      `a bystander's p50 ${shareOf(pings, 0.5)} ms and p99 ${shareOf(pings, 0.99)} ms (before: ${before})`,
      `sign-ins answered ${[...statuses].join(', ')}`,
      `longest from another network ${Math.max(...other).toFixed(0)} ms`,
      `longest on a known device ${Math.max(...device).toFixed(0)} ms`,
    ].join('; ');
  } finally {
    flood.kill();
    await flood.exited;
  }
}
