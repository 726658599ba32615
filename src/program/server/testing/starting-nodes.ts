import { afterEach, beforeEach } from 'bun:test';
import { Database } from '../../../store/postgres/database.ts';
import { PostgresInstallation } from '../../../store/postgres/postgres-installation.ts';
import { postgresForTest } from '../../../store/postgres/testing/postgres-for-test.ts';
import {
  type TemporaryDirectory,
  temporaryDirectory,
} from '../../../store/sqlite/testing/temporary-directory.ts';
import { StateFiles } from '../state-files.ts';

export type StartingNode = { database: Database; installation: PostgresInstallation; files: StateFiles };

const NODES = 4;

/** Gives each test nodes that share an empty database. Each has a data directory of its own. */
export function startingNodes(): readonly StartingNode[] {
  const nodes: StartingNode[] = [];
  let directories: TemporaryDirectory[];
  let drop: () => Promise<unknown>;
  beforeEach(async () => {
    const server = await postgresForTest();
    const url = await server.create();
    drop = async () => server.drop(url);
    directories = Array.from({ length: NODES }, temporaryDirectory);
    for (const { directory } of directories) {
      const database = new Database({ url, maxConnections: 2 });
      const installation = new PostgresInstallation(database);
      nodes.push({ database, installation, files: new StateFiles(directory) });
    }
  });
  afterEach(async () => {
    await Promise.all(nodes.splice(0).map(({ database }) => database.close()));
    for (const { remove } of directories) remove();
    await drop();
  });
  return nodes;
}
