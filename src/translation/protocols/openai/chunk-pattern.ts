import type { OpenaiChoice } from './openai-answer.ts';

/** Matches a character that cannot stand for itself in a JSON string. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON strings have no control characters.
const ESCAPED = /["\\\x00-\x1f]/;

/** The texts that hosts write between a member's name and its value. */
const COLONS = [':', ': '];

type Around = { before: string; after: string };

const PROBE = 'probe';

/**
 * A chunk around its text, as sent by the host and as shown to the client. Nearly all chunks of a stream
 * differ only in their text, and are then neither parsed nor searched.
 */
export class ChunkPattern {
  readonly #sent: Around;
  readonly #shown: Around;

  constructor(sent: Around, shown: Around) {
    this.#sent = sent;
    this.#shown = shown;
  }

  /** Returns the text of a chunk that fits the pattern, or undefined. */
  textIn(chunk: string): string | undefined {
    const { before, after } = this.#sent;
    const end = chunk.length - after.length;
    if (end < before.length || !chunk.startsWith(before) || !chunk.endsWith(after)) return undefined;
    const text = chunk.slice(before.length, end);
    return ESCAPED.test(text) ? undefined : text;
  }

  show(text: string): string {
    return this.#shown.before + text + this.#shown.after;
  }
}

/**
 * Returns the pattern of a chunk, or undefined if later chunks may differ in more than one text.
 * `shown`: the chunk for the client.
 */
export function patternOf(
  sent: string,
  shown: string,
  choices: readonly OpenaiChoice[],
): ChunkPattern | undefined {
  const [choice] = choices;
  const member = choice && choices.length === 1 ? soleText(choice) : undefined;
  if (member === undefined || ESCAPED.test(member.text)) return undefined;
  const ofHost = aroundText(sent, member);
  const ofClient = aroundText(shown, member);
  return ofHost && ofClient && isTextOf(ofHost, member.name) ? new ChunkPattern(ofHost, ofClient) : undefined;
}

type SoleText = { name: string; text: string };

/** Returns the only member of a delta that says something. */
function soleText({ delta, text: legacy, finish_reason }: OpenaiChoice): SoleText | undefined {
  if (delta === undefined || legacy != null || finish_reason != null) return undefined;
  let sole: SoleText | undefined;
  for (const name in delta) {
    const text = delta[name];
    if (name === 'role' || text === null) continue;
    if (sole || typeof text !== 'string' || text === '') return undefined;
    sole = { name, text };
  }
  return sole;
}

/** Returns what is around the text, if the text is there exactly once. */
function aroundText(chunk: string, { name, text }: SoleText): Around | undefined {
  for (const colon of COLONS) {
    const member = `"${name}"${colon}"${text}"`;
    const start = chunk.indexOf(member);
    if (start < 0) continue;
    if (chunk.includes(member, start + 1)) return undefined;
    const end = start + member.length - 1;
    return { before: chunk.slice(0, end - text.length), after: chunk.slice(end) };
  }
  return undefined;
}

/**
 * Reports whether the place is that of the delta's member, and not that of a different member with an equal
 * name and text.
 */
function isTextOf({ before, after }: Around, name: string): boolean {
  const { choices } = JSON.parse(before + PROBE + after) as { choices: OpenaiChoice[] };
  return choices[0]?.delta?.[name] === PROBE;
}
