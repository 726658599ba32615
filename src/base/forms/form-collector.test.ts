import { expect, test } from 'bun:test';
import { FormCollector } from './form-collector.ts';
import { FormFault } from './form-fault.ts';

test('leaves out an empty file without a name, although it counts as a part of the form', () => {
  const collector = new FormCollector({ byteLength: 0, add: () => {} });
  const add = () => {
    collector.begin({ name: 'file', filename: '', type: undefined });
    collector.end();
  };
  for (let parts = 0; parts < 128; parts++) add();
  expect(collector.parts).toEqual([]);
  expect(add).toThrow(FormFault);
});
