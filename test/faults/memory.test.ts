import { expect, test } from 'bun:test';
import { sendBodies, stallReaders } from './memory/attacks.ts';
import { observeStrain } from './memory/observe-strain.ts';
import { startStrainedServer } from './memory/start-strained-server.ts';

// Small editions of `memory.ts`, which measures the same with hundreds.

const TIMEOUT_MS = 120_000;
/** What the runtime needs beside what is booked: garbage between two collections. */
const GARBAGE_MB = 120;
const documented = new Set(['200 undefined', '503 server_error', '529 overloaded_error']);

test(
  'sixty bodies of 9.9 MB at once stay within their budget, all are answered, and the memory comes back [ERR-29]',
  async () => {
    const in_flight_body_mb = 64;
    const house = await startStrainedServer({ in_flight_body_mb });
    try {
      const { result, idleMb, peakMb, backAfterMs, bystander } = await observeStrain(house, () =>
        sendBodies(house, 60),
      );
      // Beside the bodies that are read, half as much waits unread.
      expect(peakMb).toBeLessThan(idleMb + 1.5 * in_flight_body_mb + GARBAGE_MB);
      const answers = new Set(result.map(({ status, code }) => `${status} ${code}`));
      expect(answers.difference(documented)).toEqual(new Set());
      expect(result.filter(({ status }) => status === 200).length).toBeGreaterThan(5);
      expect(new Set(bystander.statuses)).toEqual(new Set([200]));
      expect(backAfterMs).toBeDefined();
    } finally {
      await house.stop();
    }
  },
  TIMEOUT_MS,
);

test(
  'readers that stop hold their upstreams back, and the memory comes back when they leave',
  async () => {
    const readers = 24;
    const house = await startStrainedServer();
    try {
      const { result, idleMb, backAfterMs, bystander } = await observeStrain(house, () =>
        stallReaders(house, readers),
      );
      expect(result.sentMb).toBeGreaterThan(readers);
      expect(result.sentMb).toBeLessThan(readers * 23);
      expect(result.steadyMb - idleMb).toBeLessThan(readers * 1.0 + GARBAGE_MB);
      expect(new Set(bystander.statuses)).toEqual(new Set([200]));
      expect(backAfterMs).toBeDefined();
    } finally {
      await house.stop();
    }
  },
  TIMEOUT_MS,
);
