import { statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Clock } from '../../base/lib/clock.ts';
import type { AdminToken } from '../../customers/operators/admin-token.ts';
import type { TokenStore } from '../../customers/operators/token-store.ts';
import type { ResponsePage, ResponseStore } from '../../inference/responses/response-store.ts';
import type { Account } from '../../money/accounts/account.ts';
import type {
  AccountPage,
  AccountStore,
  Page,
  PageRequest,
  SaveOutcome,
  StoreHealth,
} from '../../money/accounts/account-store.ts';
import type { ApiKey } from '../../money/accounts/api-key.ts';
import type { AuditEntry, AuditFilter, AuditRecord } from '../../money/accounts/audit.ts';
import type { KeyUseStore } from '../../money/accounts/key-use-store.ts';
import type { Wanted } from '../../money/ledger/stored-response.ts';
import type { Free } from '../../money/limits/free-space.ts';
import type { StoredBytes } from '../../money/limits/stored-bytes.ts';
import type { TrackedAlert } from '../../watch/alerts/alert.ts';
import type { AlertStore } from '../../watch/alerts/alert-store.ts';
import type { RequestGroup, RequestStore } from '../../watch/requests/request-store.ts';
import { BillingRecords } from '../billing-records.ts';
import type { FilePlace } from '../file-place.ts';
import { pageOf } from '../page-of.ts';
import { ProviderFaults } from '../provider-faults.ts';
import { StoredRefusals } from '../refusals.ts';
import { packRequests } from '../request-packing.ts';
import { SavedPrompts } from '../saved-prompts.ts';
import { Shortfalls } from '../shortfalls.ts';
import { StoredBackground } from '../stored-background.ts';
import { StoredConversations } from '../stored-conversations.ts';
import { LISTS_OF_SQLITE, StoredTraffic } from '../traffic.ts';
import { insertAccount, selectAccount, selectAccounts, updateAccount } from './accounts.ts';
import { insertToken, selectToken, selectTokenByHash, selectTokens, updateToken } from './admin-tokens.ts';
import {
  extendOccasion,
  insertAlert,
  saveCreditMark,
  selectAlert,
  selectAlerts,
  selectCreditMark,
  selectCreditMarks,
  selectWaitingDeliveries,
  updateAlertDelivery,
} from './alerts.ts';
import { insertAudit, insertRepeated, selectAudit, selectAuditRecord, sweepAudit } from './audit.ts';
import { SqliteBatches } from './batches/sqlite-batches.ts';
import type { SqliteConnection } from './connection.ts';
import type { DirectoryLock } from './directory-lock.ts';
import { GroupCommitWriter } from './group-commit-writer.ts';
import { saveKeyUses, selectKeyUses } from './key-uses.ts';
import { insertKey, selectKey, selectKeyByHash, selectKeys, updateKey } from './keys.ts';
import { SqliteLedger } from './ledger/sqlite-ledger.ts';
import { selectListedResponse, selectListedResponses } from './listed-responses.ts';
import { LogFlush } from './log-flush.ts';
import { LogMover } from './log-mover.ts';
import { SqlitePeople } from './people.ts';
import { insertRequests, selectRequests, sweepRequests } from './requests.ts';
import {
  deleteResponse,
  insertResponse,
  selectAnswered,
  selectEnvelope,
  selectResponseOfItem,
  selectResponseSizes,
  sweepResponses,
} from './responses.ts';
import { SqlitePayloads } from './sqlite-payloads.ts';
import { withSqliteProblems } from './sqlite-problem.ts';
import { SqliteQueries } from './sqlite-queries.ts';
import { SqliteUsage } from './sqlite-usage.ts';
import { selectExpiry, selectStored } from './stored-bytes.ts';
import { SqliteStoredSettings } from './stored-settings.ts';
import { countOwnItems, indexLine, selectSection, selectSections, selectSize, selectTurns } from './turns.ts';
import { WriteProbe } from './write-probe.ts';

export type SqliteStoreParts = {
  connection: SqliteConnection;
  place: FilePlace;
  lock: DirectoryLock;
  clock: Clock;
};

const IF_THERE = { throwIfNoEntry: false } as const;

type KeyStore = AccountStore & KeyUseStore & TokenStore;

/** Reads and writes share one connection. A transaction runs without a pause, so a read never sees part of one. */
export class SqliteStore
  implements KeyStore, ResponseStore, RequestStore, AlertStore, StoredBytes, StoreHealth
{
  readonly writer: GroupCommitWriter;
  readonly ledger: SqliteLedger;
  readonly budgets: SqliteLedger['budgets'];
  readonly batches: SqliteBatches;
  readonly people: SqlitePeople;
  readonly billing: BillingRecords;
  readonly shortfalls: Shortfalls;
  readonly conversations: StoredConversations;
  readonly background: StoredBackground;
  readonly prompts: SavedPrompts;
  readonly traffic: StoredTraffic;
  readonly refusals: StoredRefusals;
  readonly faults: ProviderFaults;
  readonly usage: SqliteUsage;
  readonly payloads: SqlitePayloads;
  readonly settings: SqliteStoredSettings;
  readonly #parts: SqliteStoreParts;
  readonly #log: LogFlush;
  readonly #mover: LogMover;
  readonly #probe: WriteProbe;
  #closed = false;

  readonly findAccount = this.#reads(selectAccount);
  readonly findKey = this.#reads(selectKey);
  readonly findKeyByHash = this.#reads(selectKeyByHash);
  readonly listKeys = this.#reads(selectKeys);
  readonly saveKeyUses = this.#writes(saveKeyUses);
  readonly keyUses = this.#reads(selectKeyUses);
  readonly findToken = this.#reads(selectToken);
  readonly findTokenByHash = this.#reads(selectTokenByHash);
  readonly findAudit = this.#reads(selectAuditRecord);
  readonly saveResponse = this.#writes(insertResponse);
  readonly measureResponse = this.#reads(selectResponseSizes);
  readonly loadEnvelope = this.#reads(selectEnvelope);
  readonly loadAnswered = this.#reads(selectAnswered);
  readonly measureConversation = this.#reads(selectSize);
  readonly loadTurns = this.#reads(selectTurns);
  readonly placeListed = this.#reads(selectSections);
  readonly loadSection = this.#reads(selectSection);
  readonly findResponseOfItem = this.#reads(selectResponseOfItem);
  readonly findListedResponse = this.#reads(selectListedResponse);
  readonly deleteResponse = this.#writes(deleteResponse);
  readonly sweepResponses = this.#writes(sweepResponses);
  readonly listRequests = this.#reads(selectRequests);
  readonly sweepRequests = this.#writes(sweepRequests);
  readonly addAlert = this.#writes(insertAlert);
  readonly saveAlertDelivery = this.#writes(updateAlertDelivery);
  readonly extendOccasion = this.#writes(extendOccasion);
  readonly findAlert = this.#reads(selectAlert);
  readonly saveCreditMark = this.#writes(saveCreditMark);
  readonly creditMark = this.#reads(selectCreditMark);
  readonly listTokens = this.#reads(selectTokens);
  readonly waitingAlertDeliveries = this.#reads(selectWaitingDeliveries);
  readonly creditMarks = this.#reads(selectCreditMarks);
  readonly recordRepeated = this.#writes(insertRepeated);
  readonly recordAudit = this.#writes(insertAudit);
  readonly sweepAudit = this.#writes(sweepAudit);

  constructor(parts: SqliteStoreParts) {
    this.#parts = parts;
    this.#log = new LogFlush(parts.connection);
    this.writer = new GroupCommitWriter({
      ...{ connection: parts.connection, refusal: () => parts.place.problem() },
      flush: () => this.#log.flush().then(() => this.#mover.committed()),
      pause: () => this.#mover.pause,
    });
    this.#mover = new LogMover({
      connection: parts.connection,
      isInPlace: () => parts.place.problem() === undefined,
    });
    this.ledger = new SqliteLedger(parts.connection, this.writer, parts.clock);
    this.budgets = this.ledger.budgets;
    this.batches = new SqliteBatches(parts.connection, this.writer);
    this.people = new SqlitePeople(parts.connection, this.writer);
    this.payloads = new SqlitePayloads(parts.connection, this.writer);
    const queries = new SqliteQueries(parts.connection, this.writer);
    this.billing = new BillingRecords(queries);
    this.shortfalls = new Shortfalls(queries);
    this.conversations = new StoredConversations(queries);
    this.background = new StoredBackground(queries);
    this.prompts = new SavedPrompts(queries);
    this.settings = new SqliteStoredSettings(parts.connection, this.writer);
    this.traffic = new StoredTraffic(queries, LISTS_OF_SQLITE);
    this.refusals = new StoredRefusals(queries, LISTS_OF_SQLITE);
    this.faults = new ProviderFaults(queries, LISTS_OF_SQLITE);
    this.usage = new SqliteUsage(parts.connection, this.writer, this.ledger.writeSumsOf);
    this.#probe = new WriteProbe(this.writer, parts.clock);
  }

  /** Makes a method of the store from a statement that reads. */
  #reads<Values extends unknown[], Result>(select: (on: SqliteConnection, ...values: Values) => Result) {
    return (...values: Values): Promise<Result> => this.read((connection) => select(connection, ...values));
  }

  /** Makes a method of the store from statements that change rows, in a transaction of their own. */
  #writes<Values extends unknown[], Result>(change: (on: SqliteConnection, ...values: Values) => Result) {
    return (...values: Values): Promise<Result> =>
      this.writer.write((connection) => change(connection, ...values));
  }

  async read<T>(query: (connection: SqliteConnection) => T): Promise<T> {
    const { connection } = this.#parts;
    return withSqliteProblems(connection.path, () => query(connection));
  }

  createAccount(account: Account, audit: AuditEntry): Promise<void> {
    return this.writer.write((connection) => {
      insertAccount(connection, account);
      insertAudit(connection, audit);
    });
  }

  listAccounts({ limit, ...rest }: AccountPage): Promise<Page<Account>> {
    return this.read((connection) =>
      pageOf(selectAccounts(connection, { ...rest, limit: limit + 1 }), limit),
    );
  }

  saveAccount(account: Account, audit: AuditEntry): Promise<SaveOutcome> {
    return this.writer.write((connection) => {
      if (!updateAccount(connection, account)) return 'conflict';
      insertAudit(connection, audit);
      return 'saved';
    });
  }

  createKey(...[key, audit, bound]: Parameters<AccountStore['createKey']>) {
    return this.writer.write((connection) => {
      const outcome = insertKey(connection, key, bound);
      if (outcome === 'created') insertAudit(connection, audit);
      return outcome;
    });
  }

  saveKey(key: ApiKey, audit: AuditEntry): Promise<SaveOutcome> {
    return this.writer.write((connection) => {
      if (!updateKey(connection, key)) return 'conflict';
      insertAudit(connection, audit);
      return 'saved';
    });
  }

  createToken(token: AdminToken, audit: AuditEntry): Promise<SaveOutcome> {
    return this.writer.write((connection) => {
      if (!insertToken(connection, token)) return 'conflict';
      insertAudit(connection, audit);
      return 'saved';
    });
  }

  saveToken(token: AdminToken, audit: AuditEntry): Promise<SaveOutcome> {
    return this.writer.write((connection) => {
      if (!updateToken(connection, token)) return 'conflict';
      insertAudit(connection, audit);
      return 'saved';
    });
  }

  listAudit({ limit, ...rest }: PageRequest & AuditFilter): Promise<Page<AuditRecord>> {
    return this.read((connection) => pageOf(selectAudit(connection, { ...rest, limit: limit + 1 }), limit));
  }

  async countListed(wanted: Wanted): Promise<number | undefined> {
    const count = await this.read((connection) => countOwnItems(connection, wanted));
    if (count !== null) return count;
    await this.writer.write((connection) => indexLine(connection, wanted.id));
    return this.countListed(wanted);
  }

  listResponses(page: ResponsePage) {
    return this.read((connection) => {
      const found = selectListedResponses(connection, { ...page, limit: page.limit + 1 });
      return found && pageOf(found, page.limit);
    });
  }

  async addRequests(groups: readonly RequestGroup[], mostEach: number): Promise<void> {
    const packed = await packRequests(groups);
    return this.writer.write((connection) => {
      for (const group of packed) insertRequests(connection, group, mostEach);
    });
  }

  /** One process has the data directory, and holds all deliveries. */
  holdsAlertDelivery(): true {
    return true;
  }

  listAlerts({ limit, after }: PageRequest): Promise<Page<TrackedAlert>> {
    return this.read((connection) => pageOf(selectAlerts(connection, { limit: limit + 1, after }), limit));
  }

  storedBytes(accountId: string): number {
    const { connection } = this.#parts;
    return withSqliteProblems(connection.path, () => selectStored(connection, accountId));
  }

  expiryOf(accountId: string, bytes: number): Promise<number | undefined> {
    return this.read((connection) => selectExpiry(connection, { accountId, bytes }));
  }

  /** Returns the free space on the disk, and the size of free pages in the file. */
  async freeBytes(): Promise<Free> {
    const { connection } = this.#parts;
    const [disk, inside] = await Promise.all([
      statfs(dirname(connection.path)),
      this.read(() => connection.reusableBytes()),
    ]);
    return { onDisk: disk.bavail * disk.bsize, inside };
  }

  /** Returns the sizes of the database and of its write-ahead log. Returns undefined if the file cannot be read. */
  fileBytes(): { database: number | undefined; log: number | undefined } {
    const { path } = this.#parts.connection;
    return {
      database: statSync(path, IF_THERE)?.size,
      log: statSync(`${path}-wal`, IF_THERE)?.size,
    };
  }

  async problem(): Promise<string | undefined> {
    if (this.#closed) return 'The store is closed.';
    return this.#parts.place.problem()?.sentence ?? this.#probe.problem();
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    const { connection, lock } = this.#parts;
    try {
      await this.ledger.close();
      await this.writer.close();
      await this.#mover.close();
      this.#log.close();
      connection.close();
    } finally {
      lock.release();
    }
  }
}
