import type {
  Answered,
  ConversationSize,
  ListedRange,
  ListedSection,
  ResponseLookup,
  ResponsePage,
  ResponseSizes,
  ResponseStore,
} from '../../../inference/responses/response-store.ts';
import type { StoredResponse, StoredTurn } from '../../../money/ledger/stored-response.ts';
import type { Database } from '../database.ts';
import { readListedResponse, readListedResponses } from './listed-responses.ts';
import { readAnswered, readEnvelope, readResponseOfItem, readResponseSizes } from './response-reads.ts';
import { writeResponse } from './response-write.ts';
import { storableId } from './storable-id.ts';
import { readListedCount, readSection, readSections, readSize, readTurns } from './turn-reads.ts';

/** Stored responses in Postgres. Each method is one statement. */
export class PostgresResponses implements ResponseStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  saveResponse(accountId: string, response: StoredResponse): Promise<void> {
    return writeResponse(this.#database, accountId, response);
  }

  measureResponse(wanted: ResponseLookup): Promise<ResponseSizes | undefined> {
    return readResponseSizes(this.#database, wanted);
  }

  loadEnvelope(wanted: ResponseLookup): Promise<string | undefined> {
    return readEnvelope(this.#database, wanted);
  }

  loadAnswered(wanted: ResponseLookup): Promise<Answered | undefined> {
    return readAnswered(this.#database, wanted);
  }

  measureConversation(wanted: ResponseLookup): Promise<ConversationSize | undefined> {
    return readSize(this.#database, wanted);
  }

  loadTurns(wanted: ResponseLookup): Promise<StoredTurn[]> {
    return readTurns(this.#database, wanted);
  }

  countListed(wanted: ResponseLookup): Promise<number | undefined> {
    return readListedCount(this.#database, wanted);
  }

  placeListed(wanted: ResponseLookup, range: ListedRange): Promise<ListedSection[]> {
    return readSections(this.#database, wanted, range);
  }

  loadSection(section: ListedSection): Promise<string | undefined> {
    return readSection(this.#database, section);
  }

  findResponseOfItem(wanted: ResponseLookup): Promise<string | undefined> {
    return readResponseOfItem(this.#database, wanted);
  }

  listResponses(page: ResponsePage) {
    return readListedResponses(this.#database, page);
  }

  findListedResponse(wanted: Parameters<ResponseStore['findListedResponse']>[0]) {
    return readListedResponse(this.#database, wanted);
  }

  async deleteResponse({ id, keyId, now }: ResponseLookup): Promise<boolean> {
    const values = [storableId(id), keyId, now];
    const row = await this.#database.first('SELECT delete_response($1, $2, $3::bigint) AS deleted', values);
    return row?.deleted === true;
  }

  async sweepResponses({ now, limit }: { now: number; limit: number }): Promise<number> {
    const row = await this.#database.first('SELECT sweep_responses($1::bigint, $2::integer) AS removed', [
      now,
      limit,
    ]);
    return Number(row?.removed);
  }
}
