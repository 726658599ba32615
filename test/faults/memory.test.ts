import { expect, test } from 'bun:test';
import { fullTest } from '../support/full-test.ts';
import { isLong } from '../support/is-long.ts';
import { openResponsesSocket } from '../support/open-responses-socket.ts';
import { residentMb } from '../support/process-memory.ts';
import { waitFor } from '../support/wait-for.ts';
import { sendBodies, stallReaders } from './memory/attacks.ts';
import { observeStrain } from './memory/observe-strain.ts';
import { startMessages } from './memory/start-messages.ts';
import { startStrainedServer } from './memory/start-strained-server.ts';

// Small versions of `memory.ts`, which measures the same with hundreds of connections.

const TIMEOUT_MS = 120_000;
/** Several times the budget. */
const BODIES = isLong ? 60 : 20;
/** The garbage between two collections, which no budget counts. */
const GARBAGE_MB = 120;
/** Sockets that each keep 10 MB of input. */
const SOCKETS = isLong ? 60 : 12;
/** Less than the runtime takes of one message. */
const MESSAGE_BYTES = 18 * 1024 * 1024;
const documented = new Set(['200 undefined', '503 server_error', '529 overloaded_error']);

test(
  'simultaneous bodies of 9.9 MB are answered within their budget of memory [ERR-29]',
  async () => {
    const in_flight_body_mb = 64;
    await using gateway = await startStrainedServer({ in_flight_body_mb });
    const { result, idleMb, peakMb, backAfterMs, bystander } = await observeStrain(gateway, () =>
      sendBodies(gateway, BODIES),
    );
    // Unread bodies may wait in half as much memory again.
    expect(peakMb).toBeLessThan(idleMb + 1.5 * in_flight_body_mb + GARBAGE_MB);
    const answers = new Set(result.map(({ status, code }) => `${status} ${code}`));
    expect(answers.difference(documented)).toEqual(new Set());
    expect(result.filter(({ status }) => status === 200).length).toBeGreaterThan(5);
    expect(new Set(bystander.statuses)).toEqual(new Set([200]));
    expect(backAfterMs).toBeDefined();
  },
  TIMEOUT_MS,
);

fullTest(
  'upstreams are slowed down for readers that stop, until these disconnect',
  async () => {
    const readers = isLong ? 24 : 8;
    await using gateway = await startStrainedServer();
    const { result, idleMb, backAfterMs, bystander } = await observeStrain(gateway, () =>
      stallReaders(gateway, readers),
    );
    expect(result.sentMb).toBeGreaterThan(readers);
    expect(result.sentMb).toBeLessThan(readers * 23);
    expect(result.steadyMb - idleMb).toBeLessThan(readers * 0.5 + GARBAGE_MB);
    expect(new Set(bystander.statuses)).toEqual(new Set([200]));
    expect(backAfterMs).toBeDefined();
  },
  TIMEOUT_MS,
);

test(
  'what WebSockets keep between turns is bounded, and refused with 503 beyond that',
  async () => {
    const memory_limit_mb = 512;
    await using gateway = await startStrainedServer({ memory_limit_mb });
    const input = 'Words. '.repeat(1_400_000);
    const { result, idleMb, peakMb, backAfterMs, bystander } = await observeStrain(gateway, async () => {
      const ends: string[] = [];
      const sockets: { close(): void }[] = [];
      for (let index = 0; index < SOCKETS; index++) {
        const socket = await openResponsesSocket(gateway.server.url, gateway.keyOf(0));
        sockets.push(socket);
        const end = (await socket.turn({ model: 'quick', generate: false, input })).at(-1);
        ends.push(end.error?.code ?? end.type);
      }
      for (const socket of sockets) socket.close();
      return ends;
    });
    expect(result[0]).toBe('response.completed');
    expect(backAfterMs).toBeDefined();
    expect(new Set(result.slice(1))).toContain('capacity_unavailable');
    expect(peakMb).toBeLessThan(idleMb + memory_limit_mb / 4 + GARBAGE_MB);
    expect(new Set(bystander.statuses)).toEqual(new Set([200]));
  },
  TIMEOUT_MS,
);

fullTest(
  'sockets whose messages do not end are closed beyond the memory of their account',
  async () => {
    const memory_limit_mb = 512;
    await using gateway = await startStrainedServer({ memory_limit_mb });
    const { result, idleMb, backAfterMs, bystander } = await observeStrain(gateway, async () => {
      const messages = startMessages(gateway, SOCKETS * 2, MESSAGE_BYTES);
      await messages.sent;
      await waitFor(() => messages.countClosed() > 0);
      const keptMb = residentMb(gateway.server.pid);
      messages.leave();
      return { keptMb, closed: messages.countClosed() };
    });
    expect(result.closed).toBeLessThan(SOCKETS * 2);
    expect(result.keptMb).toBeLessThan(idleMb + memory_limit_mb / 4 + GARBAGE_MB);
    expect(backAfterMs).toBeDefined();
    expect(new Set(bystander.statuses)).toEqual(new Set([200]));
  },
  TIMEOUT_MS,
);
