/** Reports whether only operators need a path. These paths can have a listener of their own. */
export const isForOperators = (path: string): boolean =>
  path === '/metrics' ||
  ['/admin', '/operator', '/dashboard/v1/operator'].some(
    (root) => path === root || path.startsWith(`${root}/`),
  );
