import { formatStatuses } from '../format-statuses.ts';
import type { Attack } from './attack.ts';
import { formatTimes, repeatPings } from './bystander.ts';
import { duringFlood } from './during-flood.ts';
import { cookieOf, createOperator, signInOperator } from './operator-session.ts';
import type { StrainedGateway } from './start-strained-gateway.ts';

const SIGN_IN_EVERY_MS = 1_000;
/** Below the 20 attempts for one address in ten minutes. */
const SIGN_INS = 12;
const QUIET_MS = 4_000;

/** The sign-ins with the right password. The known device is in a network of the flood. */
type Caller = 'from another network' | 'on a known device';
type TimedSignIn = { status: number; tookMs: number };

async function timeSignIn(
  gateway: StrainedGateway,
  headers: Readonly<Record<string, string>>,
): Promise<TimedSignIn> {
  const sentAt = performance.now();
  const answer = await signInOperator(gateway, headers);
  await answer.text();
  return { status: answer.status, tookMs: performance.now() - sentAt };
}

/** Measures the bystander without the flood. Other work of the machine is in both figures. */
async function pingQuietly(gateway: StrainedGateway): Promise<number[]> {
  const stop = repeatPings(gateway);
  await Bun.sleep(QUIET_MS);
  return stop();
}

/** Signs in again and again, while a bystander sends small requests. */
async function signInOften(gateway: StrainedGateway, cookie: string) {
  const stop = repeatPings(gateway);
  const signIns: Record<Caller, TimedSignIn[]> = { 'from another network': [], 'on a known device': [] };
  for (let count = 0; count < SIGN_INS; count++) {
    const stranger = { 'x-forwarded-for': '192.0.2.1' };
    const device = { 'x-forwarded-for': '2001:db8:0:100::9', cookie };
    signIns['from another network'].push(await timeSignIn(gateway, stranger));
    signIns['on a known device'].push(await timeSignIn(gateway, device));
    await Bun.sleep(SIGN_IN_EVERY_MS);
  }
  return { pings: await stop(), signIns };
}

/** Signs people in with the right password during a flood of wrong ones. */
export const signInFlood: Attack = async (gateway) => {
  const cookie = await cookieOf(await createOperator(gateway, {}));
  const before = await pingQuietly(gateway);
  const flood = { program: 'flood-sign-in.ts', environment: { FLOOD_PORT: String(gateway.port) } } as const;
  const { result } = await duringFlood(flood, () => signInOften(gateway, cookie));
  const statuses = Object.values(result.signIns).flatMap((all) => all.map(({ status }) => status));
  const longest = Object.entries(result.signIns).map(([caller, all]) => {
    const longestMs = Math.max(...all.map(({ tookMs }) => tookMs));
    return `longest ${caller} ${longestMs.toFixed(0)} ms`;
  });
  return [
    `a bystander's ${formatTimes(result.pings)} (before: ${formatTimes(before)})`,
    `sign-ins answered ${formatStatuses(statuses)}`,
    ...longest,
  ].join('; ');
};
