import type { TestedStore } from '../../testing/conformance/store-test.ts';

export type JoinedParts = {
  /** Looks each method up in the parts. Its `close` ends the node and closes its connections. */
  store: TestedStore;
  isClosed(): boolean;
  /** Ends the node after the calls under way. */
  leave(): Promise<void>;
};

/** Joins the parts of a node's store. */
export function joinParts(
  parts: readonly object[],
  node: { end(): Promise<void>; close(): Promise<void> },
): JoinedParts {
  const underWay = new Set<Promise<unknown>>();
  let left: Promise<void> | undefined;
  let closed: Promise<void> | undefined;
  const leave = () => {
    left ??= Promise.allSettled(underWay).then(node.end);
    return left;
  };
  const close = () => {
    closed ??= leave().then(node.close);
    return closed;
  };
  const store = new Proxy({} as TestedStore, {
    get: (_, name) => {
      if (name === 'close') return close;
      const owner = parts.find((part) => name in part);
      const member: unknown = owner && Reflect.get(owner, name, owner);
      if (typeof member !== 'function') return member;
      return (...values: unknown[]) => {
        const called: unknown = member.apply(owner, values);
        if (called instanceof Promise) track(underWay, called);
        return called;
      };
    },
  });
  return { store, leave, isClosed: () => closed !== undefined };
}

function track(underWay: Set<Promise<unknown>>, called: Promise<unknown>): void {
  const ended: Promise<unknown> = called.catch(() => {}).finally(() => underWay.delete(ended));
  underWay.add(ended);
}
