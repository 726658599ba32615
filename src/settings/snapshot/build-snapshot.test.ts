import { expect, test } from 'bun:test';
import { wires } from '../../translation/canonical/wire.ts';
import { DEFAULT_CATALOG } from '../catalog/read-default-catalog.ts';
import { parseConfig } from '../config/load-config.ts';
import { buildSnapshot } from './build-snapshot.ts';

test('a model that the default catalog cannot refer to is reported with its place in that catalog', async () => {
  const text = `catalog:
  models:
    - { id: "@svc/gpt-oss-120b", kind: embedding, plan: free, context_window: 512, output_dimensions: 8,
        pricing_usd_per_mtok: { input: 1, output: 0 }, routes: [{ provider: openai, model: other }] }`;
  const loaded = parseConfig({ text, file: 'tollgate.yaml', environment: {} });
  if ('problems' in loaded) throw new Error(JSON.stringify(loaded.problems));
  const around = { environment: {}, simulator: null, supportedWires: new Set(wires), generation: 1 };
  const built = await buildSnapshot({ ...loaded, file: 'tollgate.yaml' }, around);
  const inDefaults = 'problems' in built && built.problems.filter(({ file }) => file === DEFAULT_CATALOG);
  expect(inDefaults).toContainEqual({
    file: DEFAULT_CATALOG,
    line: expect.any(Number),
    column: expect.any(Number),
    field: 'models[0].comparable[0]',
    message: 'must be of kind chat like the model itself',
  });
});
