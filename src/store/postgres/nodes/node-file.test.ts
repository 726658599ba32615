import { expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Unavailable } from '../../../base/errors/unavailable.ts';
import { NodeFile } from './node-file.ts';

test('a file that cannot be read is no first start', () => {
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-test-'));
  const file = new NodeFile(directory);
  expect(file.read()).toBeUndefined();
  file.write('node_1');
  expect(file.read()).toBe('node_1');
  rmSync(join(directory, 'node'));
  mkdirSync(join(directory, 'node'));
  expect(() => file.read()).toThrow(Unavailable);
  rmSync(directory, { recursive: true });
});
