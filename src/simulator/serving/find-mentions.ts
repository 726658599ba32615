const ORDER = /\b(?:us(?:e|ing)|call|invoke|run|execute|tools?)\b/i;

/** The part of a text in which names with signs are looked for. Each such name takes a search of its own. */
const MAX_SEARCHED = 10_000;
const WORD = /[\w-]+/g;
const IS_WORD = /^[\w-]+$/;

/** Names of agents' tools that are also words of requests. Asking to read or write orders no call. */
const ordinaryWords: ReadonlySet<string> = new Set(
  (
    'agent ask bash browser computer edit exec explore fetch find glob grep list ls monitor open patch plan python ' +
    'question read replace run search shell skill task think todo update view wait web workflow write'
  ).split(' '),
);

/**
 * Returns a test for names whose tool the text orders to call. A name is enough if it stands alone. Names
 * that are ordinary words of requests need a sentence that orders a call: "use the read tool", "call Bash and
 * Write". The text is read once, since it can be long and a request can have many tools.
 */
export function findMentions(text: string): (name: string) => boolean {
  const words = wordsIn(text);
  const orders = text.split(/[.!?\n]/).filter((sentence) => ORDER.test(sentence));
  const orderedWords = wordsIn(orders.join('\n'));
  const searched = text.slice(0, MAX_SEARCHED);
  return (name) => {
    if (ordinaryWords.has(name.toLowerCase())) return orderedWords.has(name);
    return IS_WORD.test(name) ? words.has(name) : standsAlone(searched, name);
  };
}

const wordsIn = (text: string): ReadonlySet<string> => new Set(text.match(WORD) ?? []);

/** Reports whether a name with signs occurs between other characters than those of words. */
function standsAlone(text: string, name: string): boolean {
  const escaped = name.replace(/[^\w]/g, '\\$&');
  return new RegExp(`(?<![\\w-])${escaped}(?![\\w-])`).test(text);
}
