import { escapeForRegExp } from '../../base/lib/escape-for-reg-exp.ts';
import { UNPRINTABLE } from '../../base/lib/escape-unprintable.ts';
import type { Providers } from '../../settings/hosts/providers.ts';
import type { Target } from '../../settings/hosts/target.ts';
import { HostShapes } from './host-shapes.ts';
import { providerScrubber } from './provider-scrubber.ts';
import { withoutKeys } from './redact-upstream-error.ts';
import { replacePrivate } from './replace-private.ts';
import { replaceVendors } from './replace-vendors.ts';

/** Stands for the model until all other names are removed, since its public id may contain one of them. */
const MODEL = '\ue000';
const MARKS = /[\ue000-\uf8ff]/g;

// biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal acts on control characters
const CONTROLS = /[\x00-\x08\x0b-\x1f]/g;

/**
 * Matches a page, a stream, JSON, or the stack of an error. Each line is read once, since a message may have
 * thousands of empty ones.
 */
const PAGE_OR_STACK = /^[^\S\n]*(?:[<{[]|data:|event:)|traceback|\bFile "|^[^\S\n]+at .+:\d+/im;
/** Matches the texts that replace what clients must not see. */
const REPLACEMENTS = /\[\w+\]|the (provider|model)/g;
const WORD = /\p{L}{3}/u;

const MAX_CHARACTERS = 1_000;
/** The patterns take longer for longer texts, and a text may quote the client. */
const MAX_READ = 1_500;

/** The request whose reason is scrubbed. */
export type ScrubTerms = {
  target: Pick<Target, 'provider' | 'upstreamModel'>;
  /** The public id of the model. */
  model: string;
  providers: Providers;
  /** The client's own body. */
  body: Readonly<Record<string, unknown>>;
};

/**
 * Removes from an upstream's message what clients must not see: keys, addresses, accounts, names of hosts and
 * vendors, and the upstream's name for the model, which becomes `model`. Returns undefined if nothing is left
 * that would help, or if the text is a page or a stack.
 */
export function scrubReason(
  message: string,
  { target, model, providers, body }: ScrubTerms,
): string | undefined {
  if (PAGE_OR_STACK.test(message)) return undefined;
  const withoutNames = providerScrubber(providers);
  const shapes = new HostShapes(body, (text) => withoutNames(text) !== text);
  let text = withoutKeys(shortened(message).replace(MARKS, ''), target.provider);
  text = text.replace(UNPRINTABLE, ' ').replace(CONTROLS, ' ');
  for (const name of namesOf(target.upstreamModel)) text = replaceName(text, name, MODEL);
  text = shapes.remove(text);
  for (const [name, instead] of namesToReplace(target)) text = replaceName(text, name, instead);
  text = withoutNames(text);
  text = replaceVendors(replacePrivate(text));
  text = tidy(shapes.restore(text).replaceAll(MODEL, model));
  return WORD.test(text.replace(REPLACEMENTS, '')) ? text : undefined;
}

/** Returns the upstream's model name, also without its folder or region and with a date. */
function namesOf(upstreamModel: string): string[] {
  const last = upstreamModel.slice(upstreamModel.lastIndexOf('/') + 1);
  return [upstreamModel, ...(last.length >= 4 ? [last] : [])].filter((name) => name !== '');
}

/** Returns the names that give away the provider or its operator, with what replaces each. */
function namesToReplace({
  provider: { id, baseUrl },
  upstreamModel,
}: ScrubTerms['target']): [string, string][] {
  const url = URL.parse(baseUrl);
  const names: [string, string][] = [
    [url?.host ?? '', '[address]'],
    [url?.hostname ?? '', '[address]'],
    [id, 'the provider'],
    [sharedName(id, upstreamModel), '[account]'],
  ];
  return names.filter(([{ length }]) => length >= 3);
}

/**
 * An operator's provider and its models often begin with the name of the operator's account: `acme-eu`,
 * `acme-small`.
 */
function sharedName(id: string, upstreamModel: string): string {
  const [name = ''] = id.split('-');
  return name.length >= 4 && name !== id && upstreamModel.startsWith(`${name}-`) ? name : '';
}

/** Replaces a whole name, with a suffix such as a date or a version. */
const replaceName = (text: string, name: string, instead: string): string =>
  text.replace(
    new RegExp(
      `(?<![\\p{L}\\p{N}_])(?:models\\/)?${escapeForRegExp(name)}(?:[-@:]\\w+)*(?![\\p{L}\\p{N}_])`,
      'giu',
    ),
    instead,
  );

/** Cuts the text between two words, since half a name would not be recognised. */
const shortened = (message: string): string =>
  message.length <= MAX_READ ? message : message.slice(0, MAX_READ).replace(/\S*$/, '');

const tidy = (text: string): string =>
  text
    .replace(/\((?:\s|\[\w+\])*\)/g, '')
    .replace(/(the (?:provider|model))(?:[ ,/]+\1)+/g, '$1')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ +([.,;])/g, '$1')
    .trim()
    .slice(0, MAX_CHARACTERS);
