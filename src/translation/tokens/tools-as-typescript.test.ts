import { expect, test } from 'bun:test';
import { toolsAsTypescript } from './tools-as-typescript.ts';

const toolWith = (parameters: object) => ({ type: 'function', function: { name: 'find', parameters } });

/** Returns a schema that refers to a leaf as often as 2 to the power of `levels`. */
function doubling(leaf: object, levels: number): object {
  const $defs: Record<string, object> = { level0: leaf };
  for (let level = 1; level <= levels; level++) {
    const inner = { $ref: `#/$defs/level${level - 1}` };
    $defs[`level${level}`] = { anyOf: [inner, inner] };
  }
  return { $defs, $ref: `#/$defs/level${levels}` };
}

const leaves = {
  'a list of empty schemas': { type: 'array', prefixItems: Array.from({ length: 5_000 }, () => ({})) },
  'a list of required names': { required: Array.from({ length: 5_000 }, () => 'a'), properties: { a: {} } },
};

for (const [name, leaf] of Object.entries(leaves))
  test(`gives up on ${name} that is referred to again and again`, () => {
    expect(toolsAsTypescript([toolWith(doubling(leaf, 20))])).toBeUndefined();
  });

test('gives up on lines whose indentation is much longer than they', () => {
  let schema: object = { type: 'string', description: '\n'.repeat(20_000) };
  for (let depth = 0; depth < 60; depth++) schema = { type: 'object', properties: { a: schema } };
  expect(toolsAsTypescript([toolWith(schema)])).toBeUndefined();
});

test('writes a definition as often as it is referred to', () => {
  const [text] = toolsAsTypescript([toolWith(doubling({ type: 'string' }, 3))]) ?? [];
  expect(text?.match(/string/g)).toHaveLength(8);
});
