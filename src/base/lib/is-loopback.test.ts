import { expect, test } from 'bun:test';
import { isLoopback } from './is-loopback.ts';

test.each(['localhost', 'localhost.', '127.0.0.1', '127.9.9.9', '[::1]'])('%s is this machine', (host) => {
  expect(isLoopback(host)).toBe(true);
});

test.each(['localhost.example', '128.0.0.1', '[::2]', '10.0.0.1'])('%s is not this machine', (host) => {
  expect(isLoopback(host)).toBe(false);
});
