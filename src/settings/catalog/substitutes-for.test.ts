import { expect, test } from 'bun:test';
import { partial } from '../../base/lib/testing/partial.ts';
import { findTokenFamily } from '../../translation/tokens/find-token-family.ts';
import type { Target } from '../hosts/target.ts';
import type { CatalogEntry } from './catalog.ts';
import type { Capability, Model } from './model.ts';
import { type SubstituteQuestion, substitutesFor } from './substitutes-for.ts';

const none = { tools: false, reasoning: false, vision: false, documents: false };
const able = (...names: Capability[]) => ({
  ...none,
  ...Object.fromEntries(names.map((name) => [name, true])),
});

function entryOf(id: string, fields: Partial<Model> = {}, targets = [{} as Target]): CatalogEntry {
  const model = partial<Model>({
    id,
    kind: 'chat',
    delivery: 'optimized',
    tier: 'workhorse',
    contextWindow: 8_192,
    comparable: [],
    capabilities: none,
    pricing: { input: 1, output: 4, cachedInput: null },
    ...fields,
  });
  const counted = { upstreamModel: id, isSimulated: false };
  return {
    model,
    aliases: [],
    nativeWires: [],
    targets,
    lacks: [],
    counted,
    family: findTokenFamily(counted),
  };
}

/** Returns the substitutes of the first model. */
function substitutes(entries: CatalogEntry[], about: Partial<SubstituteQuestion> = {}): string[] {
  return substitutesFor({
    entry: entries[0]!,
    entries,
    find: (name) => entries.find(({ model }) => model.id === name),
    isOpenToCaller: () => true,
    ...about,
  }).map(({ model }) => model.id);
}

const listed = (fields: Partial<Model> = {}) => entryOf('asked', { comparable: ['one', 'two'], ...fields });

test('a model with exact delivery has no substitute', () => {
  const others = [entryOf('one'), entryOf('two')];
  expect(substitutes([listed({ delivery: 'exact' }), ...others])).toEqual([]);
});

test('comparable models are tried in the listed order', () => {
  expect(substitutes([listed(), entryOf('two'), entryOf('other'), entryOf('one')])).toEqual(['one', 'two']);
});

test('a substitute is allowed for the caller, set up and of the same kind', () => {
  const entries = [
    entryOf('asked', { comparable: ['one', 'two', 'three', 'vectors'] }),
    entryOf('one'),
    entryOf('two', {}, []),
    entryOf('three'),
    entryOf('vectors', { kind: 'embedding' }),
  ];
  const isOpenToCaller = ({ model }: CatalogEntry) => model.id !== 'one';
  expect(substitutes(entries, { isOpenToCaller })).toEqual(['three']);
});

test('a simulated model and a real one never substitute each other [RES-32]', () => {
  const simulated = (id: string, fields: Partial<Model> = {}): CatalogEntry => ({
    ...entryOf(id, fields),
    counted: { upstreamModel: id, isSimulated: true },
  });
  expect(substitutes([listed(), simulated('one'), entryOf('two')])).toEqual(['two']);
  expect(substitutes([entryOf('asked'), simulated('one'), entryOf('two')])).toEqual(['two']);
  const asked = simulated('asked', { comparable: ['one', 'two'] });
  expect(substitutes([asked, simulated('one'), entryOf('two')])).toEqual(['one']);
});

test('a model without a list is substituted by models of its tier, most similar first', () => {
  const entries = [
    entryOf('asked', { capabilities: able('tools', 'vision') }),
    entryOf('other-tier', { tier: 'frontier', capabilities: able('tools', 'vision') }),
    entryOf('less-able', { capabilities: able('tools') }),
    entryOf('more-expensive', {
      capabilities: able('tools', 'vision'),
      pricing: { input: 2, output: 8, cachedInput: null },
    }),
    entryOf('smaller', { capabilities: able('tools', 'vision'), contextWindow: 4_096 }),
    entryOf('twin', { capabilities: able('tools', 'vision') }),
  ];
  expect(substitutes(entries)).toEqual(['twin', 'smaller', 'more-expensive', 'less-able']);
});

test('a model without a provider is substituted only by the models that it lists', () => {
  expect(substitutes([entryOf('asked', {}, []), entryOf('one')])).toEqual([]);
  expect(substitutes([entryOf('asked', { comparable: ['one'] }, []), entryOf('one')])).toEqual(['one']);
});

test('an embedding model is substituted only by the models that it lists', () => {
  const vectors = (id: string, fields: Partial<Model> = {}) => entryOf(id, { kind: 'embedding', ...fields });
  expect(substitutes([vectors('asked'), vectors('one')])).toEqual([]);
  expect(substitutes([vectors('asked', { comparable: ['one'] }), vectors('one')])).toEqual(['one']);
});
