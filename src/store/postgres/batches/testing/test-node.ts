import { SpentMemory } from '../../../../base/jobs/spent-memory.ts';
import { StartPace } from '../../../../base/jobs/start-pace.ts';
import { systemClock } from '../../../../base/lib/clock.ts';
import { BatchRunner } from '../../../../batches/running/batch-runner.ts';
import type { RunnerParts } from '../../../../batches/running/runner-parts.ts';
import type { ClaimedItem } from '../../../../batches/stored/batch.ts';
import type { ItemEnd } from '../../../../batches/stored/item-run.ts';
import { Database } from '../../database.ts';
import { closeNode, registerNode } from '../../testing/nodes-for-test.ts';
import { PostgresBatches } from '../postgres-batches.ts';

/** The work of a node on an item. It settles by `charge`. */
export type NodeWork = (node: TestNode, item: ClaimedItem, signal: AbortSignal) => Promise<ItemEnd>;

let count = 0;

/** A node in this process. After its death none of its calls returns. */
export class TestNode {
  id = `node_${++count}`;
  isDead = false;
  readonly database: Database;
  readonly store: PostgresBatches;
  readonly failures: unknown[] = [];
  /** The numbers of the batches that this node has ended. */
  readonly ended: number[] = [];

  constructor(url: string) {
    this.database = new Database({ url, maxConnections: 3 });
    const batches = new PostgresBatches({ database: this.database, node: () => this.id });
    this.store = mortal(batches, this);
  }

  runner(work: NodeWork, parts: Partial<RunnerParts> = {}): BatchRunner {
    const { endBatch } = this.store;
    this.store.endBatch = async (sequence, now) => {
      const isEnd = await endBatch.call(this.store, sequence, now);
      if (isEnd) this.ended.push(sequence);
      return isEnd;
    };
    return new BatchRunner({
      store: this.store,
      clock: systemClock,
      pace: new StartPace(() => performance.now()),
      spent: new SpentMemory({ isQuiet: false }),
      concurrency: () => 8,
      run: (item, _batch, signal) => ({ done: work(this, item, signal), hasBegun: () => true }),
      cancelAtProviders: () => {},
      onEnded: () => {},
      onFailure: (error) => void this.failures.push(error),
      refreshEveryMs: 200,
      ...parts,
    });
  }

  /** Writes the result and the charge of an item in one transaction, as a settlement does. */
  charge({ lease, requestId }: ClaimedItem): Promise<void> {
    if (this.isDead) return never();
    const job = JSON.stringify({ lease, result: 'succeeded', line: `"${requestId}"` });
    return this.database.transaction(async (queries) => {
      const row = await queries.first('SELECT finish_item($1::text::jsonb) AS done', [job]);
      if (row?.done) await queries.run('INSERT INTO charge (request_id) VALUES ($1)', [requestId]);
    });
  }

  static async register(url: string): Promise<TestNode> {
    const node = new TestNode(url);
    await registerNode(node.database, node.id);
    return node;
  }

  /** Closes this node. The process goes on as another node. */
  async closeAndGoOn(): Promise<void> {
    const { id } = this;
    const next = `node_${++count}`;
    await registerNode(this.database, next);
    this.id = next;
    await closeNode(this.database, id);
  }
}

export const never = <T>(): Promise<T> => new Promise<T>(() => {});

/** Passes calls on while the node lives. */
function mortal<T extends object>(store: T, node: TestNode): T {
  return new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return async (...values: unknown[]) => {
        if (node.isDead) return never();
        const result: unknown = await value.apply(target, values);
        return node.isDead ? never() : result;
      };
    },
  });
}
