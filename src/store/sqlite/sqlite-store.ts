import { statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Clock } from '../../base/lib/clock.ts';
import { closeAll } from '../../base/lib/close-all.ts';
import type {
  ResponseLookup,
  ResponsePage,
  ResponseStore,
} from '../../inference/responses/response-store.ts';
import type { StoreHealth } from '../../money/accounts/account-store.ts';
import type { FreeBytes } from '../../money/limits/free-space.ts';
import type { StoredBytes } from '../../money/limits/stored-bytes.ts';
import type { RequestGroup, RequestStore } from '../../watch/requests/request-store.ts';
import { BillingRecords } from '../billing-records.ts';
import { type CommonRecords, commonRecords } from '../common-records.ts';
import type { FileIdentity } from '../file-identity.ts';
import { joinParts } from '../join-parts.ts';
import { NotedRequests } from '../noted-requests.ts';
import { pageOf } from '../page-of.ts';
import { PayloadRecords } from '../payload-records.ts';
import { PeopleRecords } from '../people-records.ts';
import { ProviderDrains } from '../provider-drains.ts';
import { ProviderFaults } from '../provider-faults.ts';
import { packRequests } from '../request-packing.ts';
import { SavedPrompts } from '../saved-prompts.ts';
import { SettingRecords } from '../setting-records.ts';
import { Shortfalls } from '../shortfalls.ts';
import { StoredBackground } from '../stored-background.ts';
import { StoredConversations } from '../stored-conversations.ts';
import { StoredMilestones } from '../stored-milestones.ts';
import { StoredRecordings } from '../stored-recordings.ts';
import { StoredRefusals } from '../stored-refusals.ts';
import { StoredTraffic } from '../stored-traffic.ts';
import { SqliteBatches } from './batches/sqlite-batches.ts';
import type { DirectoryLock } from './directory-lock.ts';
import { FlushedQueries } from './flushed-queries.ts';
import { GroupCommitWriter } from './group-commit-writer.ts';
import { SqliteLedger } from './ledger/sqlite-ledger.ts';
import { LogFlush } from './log-flush.ts';
import { LogMover } from './log-mover.ts';
import { insertRequests, selectRequests, sweepRequests } from './requests.ts';
import { fillItemCounts } from './responses/fill-item-counts.ts';
import { countOwnItems, selectSection, selectSections } from './responses/listed-items.ts';
import { selectListedResponse, selectListedResponses } from './responses/listed-responses.ts';
import {
  deleteResponse,
  insertResponse,
  selectAnswered,
  selectEnvelope,
  selectResponseOfItem,
  selectResponseSizes,
  sweepResponses,
} from './responses/responses.ts';
import { selectSize, selectTurns } from './responses/turn-reads.ts';
import { SqliteAlerts } from './sqlite-alerts.ts';
import type { SqliteConnection } from './sqlite-connection.ts';
import { withSqliteProblems } from './sqlite-problem.ts';
import { SqliteQueries } from './sqlite-queries.ts';
import { SqliteUsage } from './sqlite-usage.ts';
import { selectExpiry, selectStored } from './stored-bytes.ts';
import { WriteProbe } from './write-probe.ts';

export type SqliteStoreParts = {
  connection: SqliteConnection;
  file: FileIdentity;
  lock: DirectoryLock;
  clock: Clock;
};

/** The embedded store, with the records that both kinds of databases keep in the same way. */
export type SqliteStore = SqliteParts & CommonRecords & SqliteAlerts;

export function createSqliteStore(parts: SqliteStoreParts): SqliteStore {
  const store = new SqliteParts(parts);
  const { queries, writer } = store;
  return Object.assign(store, joinParts(commonRecords(queries), new SqliteAlerts(queries, writer)));
}

const IF_THERE = { throwIfNoEntry: false } as const;

/**
 * Reads and writes share one connection.
 * A transaction runs without a pause, so a read never sees part of one.
 */
class SqliteParts implements ResponseStore, RequestStore, StoredBytes, StoreHealth {
  readonly queries: SqliteQueries;
  readonly writer: GroupCommitWriter;
  readonly ledger: SqliteLedger;
  readonly budgets: SqliteLedger['budgets'];
  readonly batches: SqliteBatches;
  readonly people: PeopleRecords;
  readonly billing: BillingRecords;
  readonly shortfalls: Shortfalls;
  readonly conversations: StoredConversations;
  readonly background: StoredBackground;
  readonly recordings: StoredRecordings;
  readonly prompts: SavedPrompts;
  readonly traffic: StoredTraffic;
  readonly countedRequests: NotedRequests;
  readonly milestones: StoredMilestones;
  readonly refusals: StoredRefusals;
  readonly faults: ProviderFaults;
  readonly drains: ProviderDrains;
  readonly usage: SqliteUsage;
  readonly payloads: PayloadRecords;
  readonly settings: SettingRecords;
  readonly #parts: SqliteStoreParts;
  readonly #log: LogFlush;
  readonly #mover: LogMover;
  readonly #probe: WriteProbe;
  #isClosed = false;

  readonly saveResponse = this.#writes(insertResponse);
  readonly measureResponse = this.#reads(selectResponseSizes);
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

  constructor(parts: SqliteStoreParts) {
    this.#parts = parts;
    this.#log = new LogFlush(parts.connection);
    this.writer = new GroupCommitWriter({
      connection: parts.connection,
      refusal: () => parts.file.problem(),
      flush: () => this.#log.flush().then(() => this.#mover.committed()),
      pause: () => this.#mover.pause,
    });
    this.#mover = new LogMover({
      connection: parts.connection,
      isInPlace: () => parts.file.problem() === undefined,
    });
    this.ledger = new SqliteLedger(parts.connection, this.writer, parts.clock);
    this.budgets = this.ledger.budgets;
    this.batches = new SqliteBatches(parts.connection, this.writer);
    this.queries = new SqliteQueries(parts.connection, this.writer);
    this.people = new PeopleRecords(this.queries);
    this.payloads = new PayloadRecords(this.queries);
    this.billing = new BillingRecords(this.queries);
    this.shortfalls = new Shortfalls(this.queries);
    const flushed = new FlushedQueries(parts.connection, this.writer);
    this.conversations = new StoredConversations(flushed);
    this.background = new StoredBackground(flushed);
    this.recordings = new StoredRecordings(this.queries);
    this.prompts = new SavedPrompts(this.queries);
    this.settings = new SettingRecords(this.queries);
    this.traffic = new StoredTraffic(this.queries);
    this.countedRequests = new NotedRequests(this.queries);
    this.milestones = new StoredMilestones(this.queries);
    this.refusals = new StoredRefusals(this.queries);
    this.faults = new ProviderFaults(this.queries);
    this.drains = new ProviderDrains(this.queries);
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

  async countListed(wanted: ResponseLookup): Promise<number | undefined> {
    const count = await this.read((connection) => countOwnItems(connection, wanted));
    if (count !== null) return count;
    await this.writer.write((connection) => fillItemCounts(connection, wanted.id));
    return this.countListed(wanted);
  }

  /** Clients poll responses in the background, so the text waits for the flush that is under way. */
  async loadEnvelope(wanted: ResponseLookup): Promise<string | undefined> {
    return this.writer.afterFlush(await this.read((connection) => selectEnvelope(connection, wanted)));
  }

  async listResponses(page: ResponsePage) {
    const { limit } = page;
    const found = await this.read((connection) =>
      selectListedResponses(connection, { ...page, limit: limit + 1 }),
    );
    return this.writer.afterFlush(found && pageOf(found, limit));
  }

  async addRequests(groups: readonly RequestGroup[], mostEach: number): Promise<void> {
    const packed = await packRequests(groups);
    return this.writer.write((connection) => {
      for (const group of packed) insertRequests(connection, group, mostEach);
    });
  }

  storedBytes(accountId: string): number {
    const { connection } = this.#parts;
    return withSqliteProblems(connection.path, () => selectStored(connection, accountId));
  }

  expiryOf(accountId: string, bytes: number): Promise<number | undefined> {
    return this.read((connection) => selectExpiry(connection, { accountId, bytes }));
  }

  /** Returns the free space on the disk, and the size of free pages in the file. */
  async freeBytes(): Promise<FreeBytes> {
    const { connection } = this.#parts;
    const [disk, inside] = await Promise.all([
      statfs(dirname(connection.path)),
      this.read(() => connection.reusableBytes()),
    ]);
    return { onDisk: disk.bavail * disk.bsize, inside };
  }

  /**
   * Returns the sizes of the database and of its write-ahead log.
   * Returns undefined if the file cannot be read.
   */
  fileBytes(): { database: number | undefined; log: number | undefined } {
    const { path } = this.#parts.connection;
    return {
      database: statSync(path, IF_THERE)?.size,
      log: statSync(`${path}-wal`, IF_THERE)?.size,
    };
  }

  async problem(): Promise<string | undefined> {
    if (this.#isClosed) return 'The store is closed.';
    return this.#parts.file.problem()?.sentence ?? this.#probe.problem();
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const { connection, lock } = this.#parts;
    await closeAll([
      () => this.ledger.close(),
      () => this.writer.close(),
      () => this.#mover.close(),
      () => this.#log.close(),
      () => connection.close(),
      () => lock.release(),
    ]);
  }
}
