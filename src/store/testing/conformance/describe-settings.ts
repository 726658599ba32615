import { describe, expect } from 'bun:test';
import type { StoredSetting } from '../../../settings/stored/stored-setting.ts';
import { sampleAudit } from './sample-records.ts';
import { type OpenStore, storeTest } from './store-test.ts';

const sampleSetting = (fields: Partial<StoredSetting> = {}): StoredSetting => ({
  kind: 'provider',
  id: 'acme',
  revision: 1,
  settings: '{"kind":"openai"}',
  secrets: 'sealed',
  secretsSetAt: 1_000,
  changedAt: 1_000,
  ...fields,
});

export function describeSettings(open: OpenStore): void {
  describe('stored settings', () => {
    const check = storeTest(open);

    check(
      'keeps one setting of each kind and id, and lists them in this order',
      async ({ store, reopen }) => {
        const { settings } = store;
        const provider = sampleSetting();
        const model = sampleSetting({ kind: 'model', secrets: null, secretsSetAt: null });
        expect(await settings.addSetting(provider, sampleAudit({ action: 'first' }))).toBe('saved');
        expect(await settings.addSetting(model, sampleAudit({ action: 'second' }))).toBe('saved');
        const taken = sampleSetting({ settings: '{}' });
        expect(await settings.addSetting(taken, sampleAudit({ action: 'refused' }))).toBe('conflict');
        const again = await reopen();
        expect(await again.settings.listSettings()).toEqual([model, provider]);
        const { items } = await again.listAudit({ limit: 10 });
        expect(items.map(({ action }) => action)).toEqual(['second', 'first']);
      },
    );

    check('changes and removes a setting of the same revision alone', async ({ store }) => {
      const { settings } = store;
      const model = sampleSetting({ kind: 'model' });
      for (const one of [sampleSetting(), model]) await settings.addSetting(one, sampleAudit());
      const changed = sampleSetting({ settings: '{"kind":"anthropic"}', secrets: null, changedAt: 2_000 });
      expect(await settings.changeSetting(changed, sampleAudit({ action: 'changed' }))).toBe('saved');
      expect(await settings.changeSetting(sampleSetting(), sampleAudit({ action: 'late' }))).toBe('conflict');
      expect(await settings.removeSetting(sampleSetting(), sampleAudit({ action: 'late' }))).toBe('conflict');
      const current = { ...changed, revision: 2 };
      expect(await settings.listSettings()).toEqual([model, current]);
      expect(await settings.removeSetting(current, sampleAudit({ action: 'removed' }))).toBe('saved');
      expect(await settings.listSettings()).toEqual([model]);
      const { items } = await store.listAudit({ limit: 2 });
      expect(items.map(({ action }) => action)).toEqual(['removed', 'changed']);
    });

    check('replaces the encrypted form of secrets that have not changed', async ({ store }) => {
      const { settings } = store;
      await settings.addSetting(sampleSetting(), sampleAudit());
      const { kind, id } = sampleSetting();
      expect(await settings.resealSetting({ kind, id, from: 'sealed', to: 'sealed again' })).toBe(true);
      expect(await settings.resealSetting({ kind, id, from: 'sealed', to: 'late' })).toBe(false);
      expect(await settings.listSettings()).toEqual([sampleSetting({ secrets: 'sealed again' })]);
    });
  });
}
