import { Refusal } from '../../base/errors/refusal.ts';
import type { ApiKey } from './api-key.ts';
import type { AuditedAction } from './audit.ts';
import { auditOfKey } from './audit-of-key.ts';
import type { OperationParts } from './operation-parts.ts';
import { saveWithRetry } from './save-with-retry.ts';

type KeyUpdate = AuditedAction & { change: (key: ApiKey) => ApiKey | Refusal };

type Parts = Pick<OperationParts, 'store' | 'clock' | 'onKeyChanged'>;

/** Changes a key with this id. It is refused as `change` decides, and if there is no such key. */
export type UpdateKey = (id: string, update: KeyUpdate) => Promise<ApiKey | Refusal>;

/** Returns a function that changes a key and writes the change to the audit log. */
export const updateKeyOf =
  ({ store, clock, onKeyChanged }: Parts): UpdateKey =>
  async (id, { action, actor, change }) => {
    let storedKey: ApiKey | undefined;
    const saved = await saveWithRetry<ApiKey>({
      noun: 'API key',
      read: () => store.findKey(id),
      change,
      save: (after, before) => {
        storedKey = before;
        return store.saveKey(after, auditOfKey(clock.now(), { actor, action, before, after }));
      },
    });
    if (saved instanceof Refusal) return saved;
    // A rotation drops the secret before the latest one, which can be in a cache too.
    if (storedKey) onKeyChanged(storedKey);
    onKeyChanged(saved);
    return saved;
  };
