import { expect, test } from 'bun:test';
import { modelView } from '../../src/api/models/model-view.ts';
import { namesOf } from '../../src/base/lib/names.ts';
import { unmetNeed } from '../../src/inference/qualification/unmet-need.ts';
import { parseConfig } from '../../src/settings/config/load-config.ts';
import { hosts } from '../../src/settings/hosts/hosts.ts';
import { buildSnapshot } from '../../src/settings/snapshot/build-snapshot.ts';
import { wires } from '../../src/translation/canonical/wire.ts';
import { effortOrder } from '../../src/translation/encoding/efforts.ts';
import { createChatDialect } from '../../src/translation/protocols/chat-completions/create-chat-dialect.ts';
import { createResponsesDialect } from '../../src/translation/protocols/responses/create-responses-dialect.ts';

/** Every built-in provider has its credentials. */
const environment = Object.fromEntries(
  hosts.flatMap(({ keyVariables, baseUrl }) =>
    [...keyVariables, ...[...baseUrl.matchAll(/\{([A-Z_]+)\}/g)].map(([, name]) => name!)].map((name) => [
      name,
      name.includes('ENDPOINT') || name.includes('URL') ? 'https://a.example' : 'set',
    ]),
  ),
);

const loaded = parseConfig({ text: '{}', file: 'tollgate.yaml', environment });
if ('problems' in loaded) throw new Error(JSON.stringify(loaded.problems));
const around = { environment, simulator: null, supportedWires: new Set(wires), generation: 1 };
const built = await buildSnapshot({ ...loaded, file: 'tollgate.yaml' }, around);
if ('problems' in built) throw new Error(JSON.stringify(built.problems));
const { catalog, plans } = built.snapshot;
const models = catalog.entries.filter(
  ({ model, targets }) => model.capabilities.reasoning && targets.length > 0,
);
const viewer = { plan: null, payg: false, names: namesOf('svc'), plans, listsUnavailable: true, now: 0 };
const listedOf = (entry: (typeof models)[number]): readonly string[] => {
  const { svc } = modelView(entry, viewer) as unknown as { svc: { reasoning_efforts: string[] } };
  return svc.reasoning_efforts;
};

const dialects = [
  {
    path: 'reasoning_effort',
    dialect: createChatDialect(),
    ask: (effort: string) => ({ reasoning_effort: effort }),
  },
  {
    path: 'reasoning.effort',
    dialect: createResponsesDialect(),
    ask: (effort: string) => ({ reasoning: { effort } }),
  },
];

test('the default catalog has reasoning models', () => {
  expect(models.length).toBeGreaterThan(80);
});

test.each(
  dialects,
)('each model takes the values of $path that it lists, and names them when it refuses another [MOD-61]', ({
  path,
  dialect,
  ask,
}) => {
  const faults: string[] = [];
  for (const entry of models) {
    const listed = listedOf(entry);
    for (const effort of effortOrder) {
      const refusal = unmetNeed(entry, dialect.needs!, ask(effort));
      if (listed.includes(effort)) {
        if (refusal) faults.push(`${entry.model.id} lists ${effort} and refuses it`);
        continue;
      }
      const message = refusal?.message ?? '';
      const isNamed =
        listed.length === 0
          ? message.includes('it has no effort levels')
          : listed.every((one) => message.includes(one));
      if (refusal?.code !== 'route_not_qualified' || !isNamed)
        faults.push(`${entry.model.id} ${effort}: ${message}`);
      expect(refusal?.details.param ?? path).toBe(path);
    }
  }
  expect(faults).toEqual([]);
});
