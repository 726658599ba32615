import { Database } from '../../database.ts';
import { postgresForTest } from '../../testing/postgres-for-test.ts';
import { TestNode } from './test-node.ts';

/** Nodes on a database of their own, which has a table for the charges of items. */
export class TestNodes {
  /** A connection that does not end with a node. */
  readonly database: Database;
  readonly all: TestNode[] = [];
  readonly #url: string;

  private constructor(url: string) {
    this.#url = url;
    this.database = new Database({ url, maxConnections: 4 });
  }

  static async create(): Promise<TestNodes> {
    const server = await postgresForTest();
    const nodes = new TestNodes(await server.create());
    await nodes.database.run('CREATE TABLE charge (request_id text PRIMARY KEY)');
    return nodes;
  }

  /** Starts a node. */
  async add(): Promise<TestNode> {
    const node = await TestNode.register(this.#url);
    this.all.push(node);
    return node;
  }

  async close(): Promise<void> {
    await Promise.all(this.all.map((node) => node.database.close()));
    await this.database.close();
    const { drop } = await postgresForTest();
    await drop(this.#url);
  }
}
