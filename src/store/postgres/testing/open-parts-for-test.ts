import type { OpenedStore, TestedStore } from '../../conformance/store-test.ts';
import { Database } from '../database.ts';
import { postgresForTest } from './postgres-for-test.ts';

/** A part of the store, made on a pool. Parts that hold something release it when they are closed. */
export type StorePart = object & { close?(): Promise<void> };

type PartsOn = (database: Database, url: string) => readonly StorePart[];

/** Returns a function that opens an empty database with some parts of the store, for the conformance tests of these parts. */
export const openPartsForTest = (partsOn: PartsOn) => async (): Promise<OpenedStore> => {
  const server = await postgresForTest();
  const url = await server.create();
  const open = () => join(new Database({ url, most: 4 }), (database) => partsOn(database, url));
  let store = open();
  return {
    store,
    reopen: async () => {
      await store.close();
      store = open();
      return store;
    },
    dispose: async () => {
      await store.close();
      await server.drop(url);
    },
  };
};

/** Looks each method up in the parts. A close waits for the calls under way, since the pool refuses those without a connection. */
function join(database: Database, partsOn: (database: Database) => readonly StorePart[]): TestedStore {
  const parts = partsOn(database);
  let closed: Promise<void> | undefined;
  const underWay = new Set<Promise<unknown>>();
  const closeAll = async () => {
    await Promise.allSettled(underWay);
    for (const part of parts) await part.close?.();
    await database.close();
  };
  const close = () => {
    closed ??= closeAll();
    return closed;
  };
  return new Proxy({} as TestedStore, {
    get: (_, name) => {
      if (name === 'close') return close;
      const owner = parts.find((part) => name in part);
      const member = owner && Reflect.get(owner, name, owner);
      if (typeof member !== 'function') return member;
      return (...values: unknown[]) => {
        const called = member.apply(owner, values);
        if (called instanceof Promise) track(underWay, called);
        return called;
      };
    },
  });
}

function track(underWay: Set<Promise<unknown>>, called: Promise<unknown>): void {
  const ended: Promise<unknown> = called.catch(() => {}).finally(() => underWay.delete(ended));
  underWay.add(ended);
}
