/** Reports whether only operators need a path. These paths can have a listener of their own. */
export const isForOperators = (path: string): boolean =>
  path === '/metrics' || path === '/admin' || path.startsWith('/admin/');
