import { describe, expect } from 'bun:test';
import { sampleAudit, sampleToken } from './sample-records.ts';
import { type OpenStore, type StoreTest, storeTest } from './store-test.ts';

export function describeTokens(open: OpenStore): void {
  describe('admin tokens', () => {
    const check = storeTest(open);
    checkReading(check);
    checkNames(check);
    checkSaving(check);
  });
}

function checkReading(check: StoreTest): void {
  check('finds an admin token by its id and by both of its hashes, even after a restart', async (opened) => {
    const plain = sampleToken();
    const full = sampleToken({
      name: 'Zoë',
      role: 'read_only',
      expiresAt: 5,
      revokedAt: 6,
      previous: { hash: '1'.repeat(64), endsAt: 7 },
    });
    for (const token of [plain, full])
      expect(await opened.store.createToken(token, sampleAudit())).toBe('saved');
    const again = await opened.reopen();
    for (const token of [plain, full]) {
      expect(await again.findToken(token.id)).toEqual(token);
      expect(await again.findTokenByHash(token.hash)).toEqual(token);
    }
    expect(await again.findTokenByHash('1'.repeat(64))).toEqual(full);
    expect(await again.listTokens()).toEqual([plain, full]);
    expect(await again.findToken('tok_none')).toBeUndefined();
    expect(await again.findToken('tok_\0')).toBeUndefined();
    expect(await again.findTokenByHash('2'.repeat(64))).toBeUndefined();
  });
}

function checkNames(check: StoreTest): void {
  check('keeps one admin token of a name that is not revoked', async ({ store }) => {
    const first = sampleToken({ name: 'ci' });
    await store.createToken(first, sampleAudit({ action: 'first' }));
    const second = sampleToken({ name: 'CI' });
    expect(await store.createToken(second, sampleAudit({ action: 'refused' }))).toBe('conflict');
    expect(await store.listTokens()).toEqual([first]);
    await store.saveToken({ ...first, revokedAt: 1 }, sampleAudit({ action: 'revoked' }));
    expect(await store.createToken(second, sampleAudit({ action: 'second' }))).toBe('saved');
    const { items } = await store.listAudit({ limit: 10 });
    expect(items.map(({ action }) => action)).toEqual(['second', 'revoked', 'first']);
  });

  check('refuses a taken id or hash of an admin token', async ({ store }) => {
    const token = sampleToken();
    await store.createToken(token, sampleAudit());
    await expect(store.createToken(sampleToken({ id: token.id }), sampleAudit())).rejects.toThrow();
    await expect(store.createToken(sampleToken({ hash: token.hash }), sampleAudit())).rejects.toThrow();
    expect(await store.listTokens()).toEqual([token]);
  });
}

function checkSaving(check: StoreTest): void {
  check(
    'saves an admin token in one transaction with its audit entry, if nobody was faster',
    async (opened) => {
      const { store } = opened;
      const token = sampleToken();
      await store.createToken(token, sampleAudit());
      const rotated = {
        ...token,
        hash: '3'.repeat(64),
        hint: 'new',
        previous: { hash: token.hash, endsAt: 9 },
      };
      expect(await store.saveToken(rotated, sampleAudit({ action: 'token-rotate' }))).toBe('saved');
      expect(await store.saveToken({ ...token, revokedAt: 1 }, sampleAudit())).toBe('conflict');
      const unwritable = sampleAudit({ actor: null as unknown as string });
      const saved = { ...rotated, version: 2 };
      await expect(store.saveToken({ ...saved, revokedAt: 1 }, unwritable)).rejects.toThrow();
      const again = await opened.reopen();
      expect(await again.findTokenByHash(token.hash)).toEqual(saved);
      expect((await again.listAudit({ limit: 1 })).items[0]?.action).toBe('token-rotate');
    },
  );
}
