import { afterAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { wires } from '../../translation/canonical/wire.ts';
import { formatProblem } from '../config/config-problem.ts';
import { readContents } from './read-contents.ts';
import { readSnapshot } from './read-snapshot.ts';
import { ReadingThread } from './reading-thread.ts';
import { SnapshotHolder } from './snapshot-holder.ts';

const directory = mkdtempSync(join(tmpdir(), 'tollgate-contents-'));
afterAll(() => rmSync(directory, { recursive: true }));

const supportedWires = new Set(wires);
const around = { supportedWires, simulatorFor: () => null };
const row = (index: number) => `
    - { id: model-${index}, plan: free, context_window: 8192, aliases: [older-${index}],
        pricing_usd_per_mtok: { input: 1, output: 4 }, routes: [{ provider: own, model: up-${index} }] }`;
const textOf = (models: number, more = '') => `simulator: { mode: off }
providers: [{ id: own, wire: openai-chat, base_url: "http://127.0.0.1:9", api_key: "\${OWN_KEY}" }]
catalog:
  default: false
  models:${Array.from({ length: models }, (_, index) => row(index)).join('')}${more}
`;

function originOf(text: string) {
  const file = join(directory, 'tollgate.yaml');
  writeFileSync(file, text);
  return { file, environment: { OWN_KEY: 'secret', PORT: '4711' }, overrides: { host: '127.0.0.9' } };
}

test('a configuration that a thread reads equals the one that is read at the start', async () => {
  for (const text of [textOf(300), 'catalog: { default: true }\n']) {
    const origin = originOf(text);
    const read = await readSnapshot(origin, { ...around, generation: 1 });
    if ('problems' in read) throw new Error(read.problems.map(formatProblem).join());
    expect(await readContents({ origin, supportedWires })).toEqual(read.contents);
  }
});

test('reports problems of the file, the catalog and the variables with line and column', async () => {
  const wrong: [string, string][] = [
    [textOf(3, '\n  handles: { other: none }'), ':12:14 catalog.handles.other: must name a model'],
    ['providers: [{ id: 5 }]\n', ':1:15 providers[0].id: must be a string'],
    ['log: [\n', 'is not valid YAML'],
  ];
  for (const [text, said] of wrong) {
    const read = await readContents({ origin: originOf(text), supportedWires });
    expect('problems' in read && read.problems.map(formatProblem).join('\n')).toContain(said);
  }
});

test('requests are served while a configuration with many models is loaded', async () => {
  const origin = originOf(textOf(300));
  const first = await readSnapshot(origin, { ...around, generation: 1 });
  if ('problems' in first) throw new Error('the configuration is refused');
  const holder = new SnapshotHolder(origin, around, first);
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  count();
  const next = await holder.reload(async () => {});
  isOver = true;
  expect(next).toBe(holder.current);
  expect({
    generation: holder.current.generation,
    entryCount: holder.current.catalog.entries.length,
  }).toEqual({ generation: 2, entryCount: 300 });
  expect(holder.current.catalog.resolve('older-299')?.entry.targets).toHaveLength(1);
  expect(turns).toBeGreaterThan(500);
});

/** Makes a thread whose reaction to a message is set by the test. */
function fakeThread(react: (thread: { lose(): void; fail(message: string): void }) => void) {
  const closed: (() => void)[] = [];
  let isEnded = false;
  const thread = {
    onmessage: null,
    onerror: null as ((event: { message: string; preventDefault(): void }) => void) | null,
    postMessage: () =>
      react({
        lose: () => closed.at(0)?.(),
        fail: (message) => thread.onerror?.({ message, preventDefault() {} }),
      }),
    unref() {},
    terminate: () => {
      isEnded = true;
    },
    addEventListener: (_: string, listener: () => void) => closed.push(listener),
  };
  return { worker: thread as unknown as Worker, isEnded: () => isEnded };
}

test('a thread that fails, exits or hangs is stopped and reported as a problem', async () => {
  const origin = originOf(textOf(1));
  const ends: [Parameters<typeof fakeThread>[0], string][] = [
    [(thread) => thread.lose(), 'cannot be read: its thread ended'],
    [(thread) => thread.fail('out of memory'), 'cannot be read: out of memory'],
    [() => {}, 'cannot be read: it took longer than 0.05 s'],
  ];
  for (const [react, message] of ends) {
    const thread = fakeThread(react);
    const read = await readContents({ origin, supportedWires }, () => new ReadingThread(thread.worker, 50));
    expect(read).toMatchObject({ problems: [{ file: origin.file, message }] });
    expect(thread.isEnded()).toBe(true);
  }
  const start = () => {
    throw new Error('no thread to be had');
  };
  expect(await readContents({ origin, supportedWires }, start)).toMatchObject({
    problems: [{ message: 'cannot be read: Error: no thread to be had' }],
  });
});
