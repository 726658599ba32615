/** The token of a link, which stands in the fragment so that no server log has it. It is removed from the address. */
export function takeFragmentToken(): string | undefined {
  const token = new URLSearchParams(location.hash.slice(1)).get('token');
  if (!token) return undefined;
  history.replaceState(null, '', `${location.pathname}${location.search}`);
  return token;
}
