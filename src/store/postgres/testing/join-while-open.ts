import type { TestedStore } from '../../testing/conformance/store-test.ts';

/**
 * Looks each method up in the parts.
 * A close waits for the calls under way, since the pool refuses those without a connection.
 */
export function joinWhileOpen(parts: readonly object[], stop: () => Promise<void>): TestedStore {
  const underWay = new Set<Promise<unknown>>();
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= Promise.allSettled(underWay).then(stop);
    return closed;
  };
  return new Proxy({} as TestedStore, {
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
}

function track(underWay: Set<Promise<unknown>>, called: Promise<unknown>): void {
  const ended: Promise<unknown> = called.catch(() => {}).finally(() => underWay.delete(ended));
  underWay.add(ended);
}
