import { OneByOne } from '../../base/lib/one-by-one.ts';
import type { ProviderDrains } from '../../store/postgres/nodes/provider-drains.ts';
import type { ServingNode } from './node-hooks.ts';

type DrainList = Pick<ProviderDrains, 'all'>;
type DrainableNode = Pick<ServingNode, 'providers' | 'setDrained'>;

/** Drains the providers of a node as the database says. */
export class DrainFollower {
  readonly #drains: DrainList;
  readonly #node: DrainableNode;
  /** Reads run one after another, since an older answer that came last would stay in force. */
  readonly #reads = new OneByOne();

  constructor(drains: DrainList, node: DrainableNode) {
    this.#drains = drains;
    this.#node = node;
  }

  apply(): Promise<void> {
    return this.#reads.run(async () => {
      const drainedIds = await this.#drains.all();
      for (const { id } of this.#node.providers()) this.#node.setDrained(id, drainedIds.has(id));
    });
  }
}
