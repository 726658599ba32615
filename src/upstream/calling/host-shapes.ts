import type { Fields } from '../../base/schema/json-type.ts';
import { isFieldName } from '../../translation/params/client-param.ts';

/** Addresses with a scheme. */
const URLS = /\b(?:[a-z][a-z0-9+.-]*:\/\/|www\.)[^\s"'<>)\]]+(?<![.,;:])/gi;

const LETTER = '\\p{Script=Latin}\\p{Script=Cyrillic}\\p{Script=Greek}';
/**
 * Names with dots that end with a word, with a port and a path. Scripts without spaces are left out, since
 * sentences join there.
 */
const HOSTS = new RegExp(
  [
    '(?<![\\p{L}\\p{N}_@/.\\[\\]-])',
    `(?:[${LETTER}\\d_](?:[${LETTER}\\d_-]*[${LETTER}\\d_])?\\.)+(?:xn--[a-z0-9-]+|[${LETTER}_]{2,})`,
    '(?![\\p{L}\\p{N}_-]|\\.[\\p{L}\\p{N}_])',
    '(?::\\d+)?(?:[/?#][^\\s"\'<>)\\]]*(?<![.,;:]))?',
  ].join(''),
  'giu',
);
/** Endings that no path of fields has. */
const DOMAIN =
  /\.(?:com|net|org|io|ai|dev|cloud|app|cn|co|eu|us|run|xyz|tech|site|online|internal|local|lan|corp|invalid|test|svc)(?![\w.])/i;
/** The name of a class or the start of a sentence after a full stop without a space. */
const CAPITALIZED = /\.[A-Z]+[a-z][A-Za-z]*$/;

/** Kept texts are replaced by characters of the private use area until all other patterns have run. */
const FIRST_KEPT = 0xe100;
const MAX_KEPT = 0x0800;

/**
 * Removes everything that is shaped like a host or a URL, apart from paths of fields and texts of the
 * client's own request.
 */
export class HostShapes {
  readonly #body: Fields;
  readonly #namesProvider: (text: string) => boolean;
  /** The client's own texts, by the characters that stand for them. */
  readonly #kept: string[] = [];
  #request: string | undefined;

  /** `body`: the client's own body. `namesProvider`: reports whether a text names a configured provider. */
  constructor(body: Fields, namesProvider: (text: string) => boolean) {
    this.#body = body;
    this.#namesProvider = namesProvider;
  }

  remove(text: string): string {
    return text
      .replace(URLS, (match) => this.#keptOr(match))
      .replace(HOSTS, (match) => (this.#isPlain(match) ? match : this.#keptOr(match)));
  }

  /** Puts the client's own texts back. */
  restore(text: string): string {
    return text.replace(/[\ue100-\ue8ff]/g, (mark) => this.#kept[mark.charCodeAt(0) - FIRST_KEPT] ?? '');
  }

  #keptOr(match: string): string {
    if (this.#kept.length === MAX_KEPT || !this.#isOfClient(match) || this.#namesProvider(match))
      return '[address]';
    this.#kept.push(match);
    return String.fromCharCode(FIRST_KEPT + this.#kept.length - 1);
  }

  #isOfClient(match: string): boolean {
    this.#request ??= JSON.stringify(this.#body);
    return this.#request.includes(JSON.stringify(match).slice(1, -1));
  }

  #isPlain(match: string): boolean {
    if (CAPITALIZED.test(match)) return true;
    const head = match.slice(0, match.indexOf('.'));
    return !DOMAIN.test(match) && (Object.hasOwn(this.#body, head) || isFieldName(head));
  }
}
