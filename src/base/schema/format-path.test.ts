import { expect, test } from 'bun:test';
import { formatPath } from './format-path.ts';

test('formats paths as the error contract shows them', () => {
  expect(formatPath(['messages', 2, 'content', 0, 'source', 'data'])).toBe(
    'messages[2].content[0].source.data',
  );
  expect(formatPath([14, 'custom_id'])).toBe('[14].custom_id');
  expect(formatPath([])).toBe('');
});

test('quotes names that could be mistaken for a path', () => {
  expect(formatPath(['previews', '@svc/gpt-5.5'])).toBe('previews["@svc/gpt-5.5"]');
  expect(formatPath(['headers', 'a\nb'])).toBe('headers["a\\u{000a}b"]');
});
