/** Addresses that only operators may reach. */
const TARGETS = [
  '/metrics',
  '/admin/v1/accounts',
  '/operator',
  '/operator/accounts',
  '/dashboard/v1/operator/accounts',
];
/** Beginnings that a proxy or a server can remove from a path. */
// biome-ignore format: a line for each group
const PREFIXES = [
  '', '/', '/.', '/./', '/%2e', '/x/..', '/x/%2e%2e', '/x/.%2E', '/x/..\\', '/v1/..', '/v1/%2e%2e',
  '/..', '/x/..;', '/;', '/..;', '/docs/..', '/v1/models/..', '/v1/models/%2e%2e/..', '/x%2f..', '/x\\..',
  '/x%5c..', '/x/%252e%252e', '/x/%c0%ae%c0%ae', '\\', '/\\', '/%5c', '/%2f', '/x/y/../..', '/assets/../x/..',
  '//x/..', '/x//..//', '/x/..#', '/x?/..', '/v1/models/x%2f..%2f..%2f..', 'http://a', 'http://a/x/..',
  'http://a?', 'http://a#', 'http://a\\', 'http://a/?/..', 'http:///', 'http://u@a', 'https://a:1',
];
/** Ends that a proxy or a server can remove from a path. */
// biome-ignore format: a line for each group
const SUFFIXES = [
  '', '/', '/.', '/x/..', '/%2e', ';x', '%20', '%00', '#x', '?x=/../', '%3f', '//', '\\', '%2f', '\x7f',
];
/** Spellings of a slash. */
// biome-ignore format: a line for each group
const SEPARATORS = [
  '/', '//', '/./', '/%2e/', '%2f', '%2F', '\\', '%5c', '/x/../', '/x/%2e%2e/', ';/', '%252f',
];
/** Spellings of the letters of a path. */
const LETTERS = [
  (path) => path,
  (path) => path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  (path) => path.replace(/[a-z](?=[^a-z]*$)/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  (path) => path.toUpperCase(),
];

/**
 * Returns `count` different spellings of operators' addresses, the same spellings at each call. The first are
 * the addresses themselves.
 */
export function pathSpellings(count) {
  const spellings = new Set(TARGETS);
  const pick = picker();
  while (spellings.size < count) {
    const [first, ...rest] = pick(LETTERS)(pick(TARGETS)).slice(1).split('/');
    const separator = pick(SEPARATORS);
    spellings.add(
      `${pick(PREFIXES)}${pick(['/', '/', separator])}${[first, ...rest].join(separator)}${pick(SUFFIXES)}`,
    );
  }
  return [...spellings];
}

/**
 * Picks pseudorandom members of lists. The generator is a linear congruential one, so that a failure recurs.
 */
function picker() {
  let state = 1;
  return (list) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return list[Math.floor((state / 2 ** 32) * list.length)];
  };
}
