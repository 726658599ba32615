import { Refusal } from '../../base/errors/refusal.ts';
import { newId } from '../../base/lib/ids.ts';
import type { Account } from './account.ts';
import type { Accounts } from './accounts.ts';
import { auditOfAccount } from './audit-of-account.ts';
import { changeAccount } from './change-account.ts';
import { cycleFrom } from './cycle-from.ts';
import type { OperationParts } from './operation-parts.ts';
import { rollCycle } from './roll-cycle.ts';
import { saveWithRetry } from './save-with-retry.ts';

type AccountOperations = Pick<Accounts, 'create' | 'find' | 'list' | 'change'>;

/** Creates the operations on accounts. */
export function accountOperations(parts: OperationParts): AccountOperations {
  const { store, clock, plans, onAccountChanged } = parts;

  const findAccount = async (id: string): Promise<Account | undefined> => {
    const account = await store.findAccount(id);
    return account && rollCycle(account, clock.now());
  };

  return {
    async create(wanted, actor) {
      const account = newAccount(wanted, clock.now());
      const audit = auditOfAccount(account.createdAt, { actor, action: 'account-create', after: account });
      await store.createAccount(account, audit);
      return account;
    },

    async find(id) {
      return (await findAccount(id)) ?? new Refusal('not_found', { message: 'There is no such account.' });
    },

    async list(page) {
      const { items, hasMore } = await store.listAccounts(page);
      const now = clock.now();
      return { items: items.map((account) => rollCycle(account, now)), hasMore };
    },

    async change(id, change, actor) {
      const saved = await saveWithRetry<Account>({
        noun: 'account',
        read: () => findAccount(id),
        change: (account) => changeAccount(account, change, { plans: plans(), now: clock.now() }),
        save: (after, before) => {
          const audit = auditOfAccount(clock.now(), { actor, action: 'account-change', before, after });
          return store.saveAccount(after, audit);
        },
      });
      if (saved instanceof Refusal) return saved;
      onAccountChanged(id);
      // Moving the start of a cycle into the past may also have ended that cycle.
      return rollCycle(saved, clock.now());
    },
  };
}

type WantedAccount = Parameters<Accounts['create']>[0];

const newAccount = ({ name, email, plan }: WantedAccount, now: number): Account => ({
  id: newId('acct_'),
  name,
  email: email ?? null,
  emailVerified: false,
  plan,
  pendingPlan: null,
  status: 'active',
  priceUsdPerMonth: null,
  planOverrides: null,
  unpaidFrom: null,
  ...cycleFrom(now),
  createdAt: now,
  version: 1,
});
