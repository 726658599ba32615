import type { ExchangeNotes } from '../../edge/http/exchange-notes.ts';
import type { ReportUnknown } from '../../translation/members/report-types.ts';

/** The most names that one request adds to its log line. */
const MAX_NAMES = 8;
/** The most characters of such a name. */
const MAX_NAME = 80;

/** The names of each exchange, whose notes are only written. */
const noted = new WeakMap<object, readonly string[]>();

/** Notes the types of a request or of its answer that no row knows, each once. */
export function unknownTypeNoter(exchange: { notes: ExchangeNotes }): ReportUnknown {
  return (name) => {
    const names = noted.get(exchange) ?? [];
    const shown = name.slice(0, MAX_NAME);
    if (names.length >= MAX_NAMES || names.includes(shown)) return;
    const withName = [...names, shown];
    noted.set(exchange, withName);
    exchange.notes.unknownTypes = withName;
  };
}
