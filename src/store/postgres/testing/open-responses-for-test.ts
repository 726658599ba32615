import type { OpenedStore, TestedStore } from '../../conformance/store-test.ts';
import { Database } from '../database.ts';
import { PostgresResponses } from '../responses/postgres-responses.ts';
import { PostgresStoredBytes } from '../responses/postgres-stored-bytes.ts';
import { postgresForTest } from './postgres-for-test.ts';

/** Opens the part of the store that has responses and stored bytes, on an empty database. */
export async function openResponsesForTest(): Promise<OpenedStore> {
  const postgres = await postgresForTest();
  const url = await postgres.create();
  let database = new Database({ url, most: 4 });
  const store = () => {
    const responses = new PostgresResponses(database);
    const bytes = new PostgresStoredBytes(database);
    const tested = {
      storedBytes: bytes.storedBytes.bind(bytes),
      expiryOf: bytes.expiryOf.bind(bytes),
    };
    return Object.assign(responses, tested) as unknown as TestedStore;
  };
  return {
    store: store(),
    reopen: async () => {
      await database.close();
      database = new Database({ url, most: 4 });
      return store();
    },
    dispose: async () => {
      await database.close();
      await postgres.drop(url);
    },
  };
}
