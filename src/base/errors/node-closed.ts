/** Other nodes have closed this one, so they end what it had open. Nothing of it may be settled here. */
export class NodeClosed extends Error {
  override readonly name = 'NodeClosed';

  constructor(nodeId: string) {
    super(`The node ${nodeId} was closed by another one`);
  }
}
