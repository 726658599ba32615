import type { ExchangeNotes } from '../../edge/http/exchange.ts';
import type { TellUnknown } from '../../translation/protocols/known-types.ts';

/** The names that one answer can add to its log line, and their length. */
const MOST_NAMES = 8;
const LONGEST_NAME = 80;

/** Notes the types of an answer that no row knows, each once. */
export function unknownTypeNoter(exchange: { notes: ExchangeNotes }): TellUnknown {
  let names: readonly string[] = [];
  return (name) => {
    const shown = name.slice(0, LONGEST_NAME);
    if (names.length >= MOST_NAMES || names.includes(shown)) return;
    names = [...names, shown];
    exchange.notes.unknownTypes = names;
  };
}
