import { randomBytes } from 'node:crypto';
import { Unavailable } from '../../base/errors/unavailable.ts';
import { SEAL_KEY_BYTES } from '../../base/lib/seal-bytes.ts';
import type { KeyRing } from '../../console/settings/key-ring.ts';
import type { StoredSettingStore } from '../../customers/operators/stored-setting-store.ts';
import { openSecrets, sealSecrets } from '../../settings/stored/setting-secrets.ts';
import type { StoredSetting } from '../../settings/stored/stored-setting.ts';
import { ContentSeal } from '../../store/sealed/content-seal.ts';

const PLACE = { kind: 'content-key', id: 'content', settings: '{}' } as const;
const ACTION = 'content-key-create';

export type ContentSealOrder = {
  store: Pick<StoredSettingStore, 'listSettings' | 'addSetting'>;
  ring: Pick<KeyRing, 'keys' | 'missing'>;
  /** True if new content is encrypted. */
  isOn: boolean;
  now(): number;
};

/**
 * Finds the key of stored content, which the master key encrypts. A rotation of the master key encrypts this
 * key again, and no content. The key is made at the first start that needs it.
 */
export async function openContentSeal(order: ContentSealOrder): Promise<ContentSeal> {
  const { isOn, ring } = order;
  const loadKey = async () => keyOf(await findRow(order), ring.keys);
  let key = await loadKey();
  if (isOn && key === undefined) {
    if (await findRow(order)) throw needsKey('the key of stored content cannot be decrypted');
    if (ring.missing !== null) throw needsKey(ring.missing);
    await makeKey(order);
    key = await loadKey();
  }
  return new ContentSeal({ isOn, key, loadKey });
}

const needsKey = (reason: string): Unavailable =>
  new Unavailable(
    `store.encrypt_content is on, and ${reason.replace(/\.$/, '')}`,
    'start with the master key that encrypted the content, or turn store.encrypt_content off',
  );

const findRow = async ({ store }: ContentSealOrder): Promise<StoredSetting | undefined> =>
  (await store.listSettings()).find(({ kind, id }) => kind === PLACE.kind && id === PLACE.id);

function keyOf(row: StoredSetting | undefined, keys: KeyRing['keys']): Uint8Array | undefined {
  const opened = row && openSecrets(keys, row);
  if (opened?.kind !== 'opened') return undefined;
  return Buffer.from(String(opened.secrets.key), 'base64');
}

/** Makes the key. Another process may make one at the same time, and only one row is kept. */
async function makeKey({ store, ring, now }: ContentSealOrder): Promise<void> {
  const secrets = { key: randomBytes(SEAL_KEY_BYTES).toString('base64') };
  const at = now();
  const row = { ...PLACE, revision: 1, secrets: sealSecrets(ring.keys, PLACE, secrets), secretsSetAt: at };
  const audit = { actor: 'bootstrap', action: ACTION, target: PLACE.id, before: null, after: null } as const;
  await store.addSetting({ ...row, changedAt: at }, { at, ...audit });
}
