import { statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Clock } from '../../base/lib/clock.ts';
import type { AdminToken } from '../../customers/operators/admin-token.ts';
import type { TokenStore } from '../../customers/operators/token-store.ts';
import type {
  ListedRange,
  ListedSection,
  ResponsePage,
  ResponseStore,
} from '../../inference/responses/response-store.ts';
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
import type { AuditEntry, AuditFilter, AuditRecord, RepeatedEvent } from '../../money/accounts/audit.ts';
import type { KeyUse, KeyUseStore } from '../../money/accounts/key-use-store.ts';
import type { StoredResponse, Wanted } from '../../money/ledger/stored-response.ts';
import type { Free } from '../../money/limits/free-space.ts';
import type { StoredBytes } from '../../money/limits/stored-bytes.ts';
import type { AlertDelivery, TrackedAlert } from '../../watch/alerts/alert.ts';
import type { AddAlert, AddedAlert, AlertStore } from '../../watch/alerts/alert-store.ts';
import type { GroupQuery, RequestGroup, RequestStore } from '../../watch/requests/request-store.ts';
import type { FilePlace } from '../file-place.ts';
import { pageOf } from '../page-of.ts';
import { packRequests } from '../request-packing.ts';
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
import { SqliteBilling } from './billing.ts';
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
import { SqliteShortfalls } from './shortfalls.ts';
import { SqlitePayloads } from './sqlite-payloads.ts';
import { withSqliteProblems } from './sqlite-problem.ts';
import { SqliteUsage } from './sqlite-usage.ts';
import { selectExpiry, selectStored } from './stored-bytes.ts';
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
  readonly batches: SqliteBatches;
  readonly people: SqlitePeople;
  readonly billing: SqliteBilling;
  readonly shortfalls: SqliteShortfalls;
  readonly usage: SqliteUsage;
  readonly payloads: SqlitePayloads;
  readonly #parts: SqliteStoreParts;
  readonly #log: LogFlush;
  readonly #mover: LogMover;
  readonly #probe: WriteProbe;
  #closed = false;

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
    this.batches = new SqliteBatches(parts.connection, this.writer);
    this.people = new SqlitePeople(parts.connection, this.writer);
    this.payloads = new SqlitePayloads(parts.connection, this.writer);
    this.billing = new SqliteBilling(parts.connection, this.writer);
    this.shortfalls = new SqliteShortfalls(parts.connection, this.writer);
    this.usage = new SqliteUsage(parts.connection, this.writer, this.ledger.writeSumsOf);
    this.#probe = new WriteProbe(this.writer, parts.clock);
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

  findAccount(id: string): Promise<Account | undefined> {
    return this.read((connection) => selectAccount(connection, id));
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

  findKey(id: string): Promise<ApiKey | undefined> {
    return this.read((connection) => selectKey(connection, id));
  }

  findKeyByHash(hash: string): Promise<ApiKey | undefined> {
    return this.read((connection) => selectKeyByHash(connection, hash));
  }

  listKeys(accountId: string): Promise<ApiKey[]> {
    return this.read((connection) => selectKeys(connection, accountId));
  }

  saveKey(key: ApiKey, audit: AuditEntry): Promise<SaveOutcome> {
    return this.writer.write((connection) => {
      if (!updateKey(connection, key)) return 'conflict';
      insertAudit(connection, audit);
      return 'saved';
    });
  }

  saveKeyUses(uses: readonly KeyUse[]): Promise<void> {
    return this.writer.write((connection) => saveKeyUses(connection, uses));
  }

  keyUses(accountId: string): Promise<Map<string, number>> {
    return this.read((connection) => selectKeyUses(connection, accountId));
  }

  createToken(token: AdminToken, audit: AuditEntry): Promise<SaveOutcome> {
    return this.writer.write((connection) => {
      if (!insertToken(connection, token)) return 'conflict';
      insertAudit(connection, audit);
      return 'saved';
    });
  }

  findToken(id: string): Promise<AdminToken | undefined> {
    return this.read((connection) => selectToken(connection, id));
  }

  findTokenByHash(hash: string): Promise<AdminToken | undefined> {
    return this.read((connection) => selectTokenByHash(connection, hash));
  }

  listTokens(): Promise<AdminToken[]> {
    return this.read(selectTokens);
  }

  saveToken(token: AdminToken, audit: AuditEntry): Promise<SaveOutcome> {
    return this.writer.write((connection) => {
      if (!updateToken(connection, token)) return 'conflict';
      insertAudit(connection, audit);
      return 'saved';
    });
  }

  findAudit(id: string): Promise<AuditRecord | undefined> {
    return this.read((connection) => selectAuditRecord(connection, id));
  }

  listAudit({ limit, ...rest }: PageRequest & AuditFilter): Promise<Page<AuditRecord>> {
    return this.read((connection) => pageOf(selectAudit(connection, { ...rest, limit: limit + 1 }), limit));
  }

  recordRepeated = (event: RepeatedEvent) => this.writer.write((one) => insertRepeated(one, event));
  recordAudit = (audit: AuditEntry) => this.writer.write((one) => insertAudit(one, audit));
  sweepAudit = (to: Parameters<typeof sweepAudit>[1]) => this.writer.write((one) => sweepAudit(one, to));
  saveResponse(accountId: string, response: StoredResponse): Promise<void> {
    return this.writer.write((connection) => insertResponse(connection, accountId, response));
  }

  measureResponse(wanted: Wanted) {
    return this.read((connection) => selectResponseSizes(connection, wanted));
  }

  loadEnvelope(wanted: Wanted) {
    return this.read((connection) => selectEnvelope(connection, wanted));
  }

  loadAnswered(wanted: Wanted) {
    return this.read((connection) => selectAnswered(connection, wanted));
  }

  measureConversation(wanted: Wanted) {
    return this.read((connection) => selectSize(connection, wanted));
  }

  loadTurns(wanted: Wanted) {
    return this.read((connection) => selectTurns(connection, wanted));
  }

  async countListed(wanted: Wanted): Promise<number | undefined> {
    const count = await this.read((connection) => countOwnItems(connection, wanted));
    if (count !== null) return count;
    await this.writer.write((connection) => indexLine(connection, wanted.id));
    return this.countListed(wanted);
  }

  placeListed(wanted: Wanted, range: ListedRange) {
    return this.read((connection) => selectSections(connection, wanted, range));
  }

  loadSection(section: ListedSection) {
    return this.read((connection) => selectSection(connection, section));
  }

  findResponseOfItem(wanted: Wanted): Promise<string | undefined> {
    return this.read((connection) => selectResponseOfItem(connection, wanted));
  }

  listResponses(page: ResponsePage) {
    return this.read((connection) => {
      const found = selectListedResponses(connection, { ...page, limit: page.limit + 1 });
      return found && pageOf(found, page.limit);
    });
  }

  findListedResponse(wanted: Parameters<ResponseStore['findListedResponse']>[0]) {
    return this.read((connection) => selectListedResponse(connection, wanted));
  }

  deleteResponse(wanted: Wanted): Promise<boolean> {
    return this.writer.write((connection) => deleteResponse(connection, wanted));
  }

  sweepResponses(options: { now: number; limit: number }): Promise<number> {
    return this.writer.write((connection) => sweepResponses(connection, options));
  }

  async addRequests(groups: readonly RequestGroup[], mostEach: number): Promise<void> {
    const packed = await packRequests(groups);
    return this.writer.write((connection) => {
      for (const group of packed) insertRequests(connection, group, mostEach);
    });
  }

  listRequests(query: GroupQuery) {
    return this.read((connection) => selectRequests(connection, query));
  }

  sweepRequests(options: { endedBefore: number; limit: number }): Promise<number> {
    return this.writer.write((connection) => sweepRequests(connection, options));
  }

  addAlert(alert: TrackedAlert, options: AddAlert): Promise<AddedAlert> {
    return this.writer.write((connection) => insertAlert(connection, alert, options));
  }

  saveAlertDelivery(delivery: AlertDelivery): Promise<void> {
    return this.writer.write((connection) => updateAlertDelivery(connection, delivery));
  }

  extendOccasion(name: string, until: number): Promise<void> {
    return this.writer.write((connection) => extendOccasion(connection, name, until));
  }

  /** One process has the data directory, and holds all deliveries. */
  holdsAlertDelivery(): true {
    return true;
  }

  waitingAlertDeliveries() {
    return this.read(selectWaitingDeliveries);
  }

  listAlerts({ limit, after }: PageRequest): Promise<Page<TrackedAlert>> {
    return this.read((connection) => pageOf(selectAlerts(connection, { limit: limit + 1, after }), limit));
  }

  findAlert(id: string): Promise<TrackedAlert | undefined> {
    return this.read((connection) => selectAlert(connection, id));
  }

  saveCreditMark(accountId: string, microcredits: number): Promise<void> {
    return this.writer.write((connection) => saveCreditMark(connection, accountId, microcredits));
  }

  creditMarks(): Promise<Map<string, number>> {
    return this.read(selectCreditMarks);
  }

  creditMark(accountId: string): Promise<number | undefined> {
    return this.read((connection) => selectCreditMark(connection, accountId));
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

  /** Returns the sizes of the database and of its write-ahead log. Undefined: the file cannot be read. */
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
