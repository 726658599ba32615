import type { OpenedStore } from '../../testing/conformance/store-test.ts';
import { openSqliteStore } from '../open-sqlite-store.ts';
import { temporaryDirectory } from './temporary-directory.ts';

/** Opens an empty store in a temporary directory. */
export async function openSqliteForTest(): Promise<OpenedStore> {
  const { directory, remove } = temporaryDirectory();
  let store = await openSqliteStore({ directory });
  return {
    store,
    reopen: async () => {
      await store.close();
      store = await openSqliteStore({ directory });
      return store;
    },
    dispose: async () => {
      await store.close();
      remove();
    },
  };
}
