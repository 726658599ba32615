import { expect, test } from 'bun:test';
import { partial } from '../../base/lib/testing/partial.ts';
import type { StoredSettingStore } from '../../customers/operators/stored-setting-store.ts';
import type { Snapshot } from '../../settings/snapshot/snapshot.ts';
import type { StoredRows } from '../../settings/stored/stored-rows.ts';
import type { StoredSetting } from '../../settings/stored/stored-setting.ts';
import type { KeyRing } from './key-ring.ts';
import { SettingsBook } from './settings-book.ts';

const modelRow = (id: string): StoredSetting => ({
  kind: 'model',
  id,
  revision: 1,
  settings: JSON.stringify({ over: false, hidden: false, fields: { id } }),
  secrets: null,
  secretsSetAt: null,
  changedAt: 1,
});

/** Starts a book whose store has rows, and notes the ids of the models that the book serves. */
function startBook(rows: StoredSetting[], onAdd: () => void) {
  const served: string[][] = [];
  const store = partial<StoredSettingStore>({
    listSettings: async () => [...rows],
    async addSetting(row: StoredSetting) {
      rows.push(row);
      onAdd();
      return 'saved';
    },
  });
  const book = new SettingsBook({
    store,
    ring: { keys: {} } as KeyRing,
    holder: {
      current: {} as Snapshot,
      async takeStored({ models }: StoredRows, accept = async () => true) {
        if (await accept({} as Snapshot, [])) served.push(models.map(({ id }) => id));
        return undefined;
      },
    },
    environment: {},
    now: () => 1,
    report: () => {},
  });
  return { book, served };
}

const addition = (next: StoredSetting) => ({
  before: undefined,
  next,
  audit: { action: 'model-create' as const, target: next.id, before: null, after: null, actor: 'admin' },
});

test('serves the row that another process stores during a change', async () => {
  const rows: StoredSetting[] = [];
  const { book, served } = startBook(rows, () => rows.push(modelRow('theirs')));
  await book.inTurn(() => book.apply(addition(modelRow('ours'))));
  await book.load();
  expect(served).toEqual([['ours'], ['ours', 'theirs']]);
});

test('does not serve its own change twice', async () => {
  const { book, served } = startBook([modelRow('first')], () => {});
  await book.inTurn(() => book.apply(addition(modelRow('second'))));
  await book.load();
  expect(served).toEqual([['first', 'second']]);
});
