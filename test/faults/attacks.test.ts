import { afterAll, expect, test } from 'bun:test';
import { attackNamed } from './attacks/attack-table.ts';
import { openAttackedGateway } from './attacks/attacked-gateway.ts';
import { breaches } from './attacks/judge-attack.ts';
import { runAttack } from './attacks/run-attack.ts';

type Shortened = {
  /** The status that the attacker must receive at least once. */
  refused?: number;
  scale?: number;
  ms?: number;
};

/** A few attacks of `attacks.ts`, smaller and shorter. Only the script measures times. */
const shortened: Record<string, Shortened> = {
  'quotes on a 9 MB conversation': { refused: 429, scale: 0.5, ms: 1_000 },
  'members in another case': {},
  'bodies after a 401': { refused: 401, ms: 1_500 },
  'all places of a provider': { scale: 0.5 },
  'n = 128, Free': { refused: 429 },
  'answers nested 100,000 deep': { refused: 503, ms: 1_000 },
};

const gateway = await openAttackedGateway(Object.keys(shortened).map(attackNamed));
afterAll(() => gateway.stop());

test.each(Object.entries(shortened))('%s: nothing changes for a bystander and in the ledger', async (name, {
  refused,
  scale = 0.2,
  ms = 300,
}) => {
  const attack = attackNamed(name);
  const outcome = await runAttack(gateway, attack, {
    scale,
    timeScale: ms / attack.ms,
    warmMs: 0,
    quietMs: 100,
    patienceMs: 20_000,
  });
  expect(breaches(outcome, attack)).toEqual([]);
  expect(outcome.during.count).toBeGreaterThan(0);
  if (refused !== undefined) expect(outcome.attacker[refused]).toBeGreaterThan(0);
  expect(outcome.back).toMatchObject({ requests: expect.any(Number), connections: expect.any(Number) });
});
