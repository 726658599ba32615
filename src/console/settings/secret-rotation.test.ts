import { expect, test } from 'bun:test';
import { partial } from '../../base/lib/testing/partial.ts';
import type { StoredSettingStore } from '../../customers/operators/stored-setting-store.ts';
import { SecretKeys } from '../../settings/stored/secret-keys.ts';
import { openSecrets, sealSecrets } from '../../settings/stored/setting-secrets.ts';
import type { StoredSetting } from '../../settings/stored/stored-setting.ts';
import type { KeyRing } from './key-ring.ts';
import { SecretRotation } from './secret-rotation.ts';

/** A ring that keeps two keys at most, as the file of an embedded store does. */
function ringOf(first: SecretKeys): KeyRing {
  let keys = first;
  return {
    get keys() {
      return keys;
    },
    missing: null,
    get isInterrupted() {
      return keys.newest().format() !== keys.format();
    },
    async begin(newKey) {
      keys = keys.precededBy(newKey ?? SecretKeys.generate())!;
      return undefined;
    },
    async end() {
      keys = keys.newest();
    },
  };
}

test('a rotation after an interrupted one loses no secret', async () => {
  const ring = ringOf(SecretKeys.parse(SecretKeys.generate())!);
  const row = { kind: 'provider' as const, id: 'one', settings: '{"id":"one"}' };
  const secrets = sealSecrets(ring.keys, row, { api_key: 'sk-1' });
  const rows: StoredSetting[] = [{ ...row, revision: 1, secrets, secretsSetAt: 1, changedAt: 1 }];
  let isDown = true;
  const store = partial<StoredSettingStore>({
    async listSettings() {
      if (isDown) throw new Error('the store is down');
      return rows;
    },
    async resealSetting({ from, to }: { from: string; to: string }) {
      const found = rows.find((each) => each.secrets === from);
      if (found) found.secrets = to;
      return found !== undefined;
    },
  });
  const rotation = new SecretRotation({
    book: { inTurn: (work) => work(), load: async () => {} },
    ring,
    store,
    accounts: { record: async () => {} },
  });
  await expect(rotation.rotate(undefined, 'admin')).rejects.toThrow('down');
  expect(ring.isInterrupted).toBe(true);
  isDown = false;
  expect(await rotation.rotate(undefined, 'admin')).toEqual({ rotated: 1, unreadable: [] });
  expect(openSecrets(ring.keys, rows[0]!)).toEqual({ kind: 'opened', secrets: { api_key: 'sk-1' } });
});
