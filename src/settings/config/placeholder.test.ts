// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders are what is tested
import { expect, test } from 'bun:test';
import { hidePlaceholders, showPlaceholders } from './placeholder.ts';

test('hides placeholders without changing positions', () => {
  const text = 'a: { b: ${NAME:-x: {y} z, é}, c: $${d} } \uf424 \uf450';
  expect(hidePlaceholders(text)).toHaveLength(text.length);
  expect(hidePlaceholders(text)).not.toContain('${');
  expect(showPlaceholders(hidePlaceholders(text))).toBe(text);
});
