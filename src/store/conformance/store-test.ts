import { test } from 'bun:test';
import type { AlertStore } from '../../api/alerts/alert-store.ts';
import type { BatchStore } from '../../api/batches/batch-store.ts';
import type { IdempotencyStore } from '../../api/batches/idempotency-store.ts';
import type { NativeStore } from '../../api/batches/native/native-store.ts';
import type { BillingStore } from '../../api/billing/billing-store.ts';
import type { ShortfallStore } from '../../api/billing/shortfall-store.ts';
import type { TokenStore } from '../../api/operators/token-store.ts';
import type { PeopleStore } from '../../api/people/people-store.ts';
import type { PayloadStore } from '../../api/requests/payload-store.ts';
import type { RequestStore } from '../../api/requests/request-store.ts';
import type { UsageStore } from '../../api/usage/usage-store.ts';
import type { ResponseStore } from '../../inference/responses/response-store.ts';
import type { AccountStore, StoreHealth } from '../../money/accounts/account-store.ts';
import type { AuditSweep } from '../../money/accounts/audit.ts';
import type { KeyUseStore } from '../../money/accounts/key-use-store.ts';
import type { LedgerStore } from '../../money/ledger/ledger-store.ts';
import type { StoredBytes } from '../../money/limits/stored-bytes.ts';

export type TestedStore = AccountStore &
  AuditSweep &
  KeyUseStore &
  TokenStore &
  ResponseStore &
  RequestStore &
  AlertStore &
  StoredBytes &
  StoreHealth & {
    ledger: LedgerStore;
    people: PeopleStore;
    billing: BillingStore;
    shortfalls: ShortfallStore;
    batches: BatchStore & IdempotencyStore & NativeStore;
    usage: UsageStore;
    payloads: PayloadStore;
  };

export type OpenedStore = {
  store: TestedStore;
  /** Closes the store and opens it again. */
  reopen(): Promise<TestedStore>;
  /** Closes the store and removes its files. */
  dispose(): Promise<void>;
};

/** Opens an empty store. */
export type OpenStore = () => Promise<OpenedStore>;

export type StoreTest = (
  title: string,
  body: (opened: OpenedStore) => Promise<void>,
  /** The time limit of a test that takes longer than usual. */
  timeoutMs?: number,
) => void;

/** Returns a function that declares tests, each with an empty store of its own. */
export function storeTest(open: OpenStore): StoreTest {
  return (title, body, timeoutMs) => {
    const run = async () => {
      const opened = await open();
      try {
        await body(opened);
      } finally {
        await opened.dispose();
      }
    };
    test(title, run, timeoutMs);
  };
}
