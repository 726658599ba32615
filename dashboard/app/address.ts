import { computed, signal } from '@preact/signals';
import { withBase, withoutBase } from './base-path.ts';

/** Returns the address of the browser without the base path. */
const current = (): URL => {
  const url = new URL(location.href);
  return withoutBase(url) ?? url;
};

/** The address of the page. It is the state of the router. */
export const address = signal(current());

/** The path of the address, without a trailing slash. */
export const path = computed(() => withoutSlash(address.value.pathname));

/** The parameters of the address. */
export const query = computed(() => address.value.searchParams);

const withoutSlash = (pathname: string): string => pathname.replace(/(?<=.)\/+$/, '');

type NavigateOptions = {
  /** Replaces the entry of the history, so that the back button skips this page. */
  replace?: boolean;
};

/** Goes to an address of the dashboard. */
export function navigate(to: string, { replace = false }: NavigateOptions = {}): void {
  const next = new URL(to, address.value);
  if (next.origin !== location.origin) {
    location.assign(next);
    return;
  }
  const isOtherPage = next.pathname !== address.value.pathname;
  const browserAddress = withBase(`${next.pathname}${next.search}${next.hash}`);
  if (next.href !== current().href) history[replace ? 'replaceState' : 'pushState'](null, '', browserAddress);
  address.value = next;
  if (isOtherPage) scrollTo(0, 0);
}

addEventListener('popstate', () => {
  address.value = current();
});

/** Returns a parameter of the query, or the fallback if the address does not have it. */
export const queryValue = (name: string, fallback = ''): string => query.value.get(name) ?? fallback;

type ParameterValue = string | number | null | undefined;
export type QueryChanges = Readonly<Record<string, ParameterValue>>;

const hasValue = (value: ParameterValue): value is string | number =>
  value !== undefined && value !== null && value !== '';

/** Returns the address with other parameters in its query. Null, undefined and '' remove a parameter. */
export function withQuery(changes: QueryChanges, from: URL = address.value): string {
  const next = new URL(from);
  for (const [name, value] of Object.entries(changes))
    if (hasValue(value)) next.searchParams.set(name, String(value));
    else next.searchParams.delete(name);
  return `${next.pathname}${next.search}${next.hash}`;
}

/**
 * Changes parameters of the query. Filters replace the entry of the history;
 * steps such as pages and tabs add one.
 */
export const setQuery = (changes: QueryChanges, options: NavigateOptions = { replace: true }): void =>
  navigate(withQuery(changes), options);

/** Appends parameters to a path. Undefined, null and '' are left out. */
export function withParameters(base: string, parameters: QueryChanges): string {
  const entries = Object.entries(parameters).filter(([, value]) => hasValue(value));
  if (entries.length === 0) return base;
  return `${base}?${new URLSearchParams(entries.map(([name, value]) => [name, String(value)]))}`;
}
