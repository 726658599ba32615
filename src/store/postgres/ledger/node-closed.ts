/** Another node has closed this one and ended its holds, so the answer cannot be settled and ends with an error. */
export class NodeClosed extends Error {
  override readonly name = 'NodeClosed';

  constructor(node: string) {
    super(`The node ${node} was closed by another node, which ended its requests`);
  }
}
