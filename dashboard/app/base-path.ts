import { options } from 'preact';

/**
 * The path of `server.public_url`, for example `/gateway`, which a proxy removes. The path is empty if the
 * server has an address of its own.
 */
const basePath = document.documentElement.dataset['base'] ?? '';

/** Returns a path of the dashboard as browsers see it. Other addresses stay unchanged. */
export const withBase = (path: string): string => (/^\/(?!\/)/.test(path) ? basePath + path : path);

/**
 * Returns an address of the browser as the dashboard knows it, or undefined if it is outside of the
 * dashboard.
 */
export function withoutBase(url: URL): URL | undefined {
  if (basePath === '') return url;
  if (url.pathname !== basePath && !url.pathname.startsWith(`${basePath}/`)) return undefined;
  const inner = new URL(url);
  inner.pathname = url.pathname.slice(basePath.length) || '/';
  return inner;
}

/** Writes the base path into every link of the pages, which name paths without it. */
export function addBaseToLinks(): void {
  if (basePath === '') return;
  const before = options.vnode;
  options.vnode = (vnode) => {
    const props = vnode.props as { href?: unknown };
    if (vnode.type === 'a' && typeof props.href === 'string') props.href = withBase(props.href);
    before?.(vnode);
  };
}
