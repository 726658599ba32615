import { escapeForRegExp } from '../../base/lib/escape-for-reg-exp.ts';
import { UNPRINTABLE } from '../../base/lib/escape-unprintable.ts';
import type { Providers } from '../../settings/hosts/providers.ts';
import type { Target } from '../../settings/hosts/target.ts';
import { HostShapes } from './host-shapes.ts';
import { providerScrubber } from './provider-scrubber.ts';
import { withoutKeys } from './redact-upstream-error.ts';

type Scrubbed = Pick<Target, 'provider' | 'upstreamModel'>;

/** Stands for the model until all other names are removed, since its public id may contain one of them. */
const MODEL = '\ue000';
const MARKS = /[\ue000-\uf8ff]/g;

// biome-ignore lint/suspicious/noControlCharactersInRegex: a terminal acts on control characters
const CONTROLS = /[\x00-\x08\x0b-\x1f]/g;

/** Addresses, accounts and keys in any text. */
const PRIVATE: readonly [RegExp, string][] = [
  [
    /(?:[\w.+-]{1,64}:)?[\w.+-]{1,64}@[\w-]{1,64}(\.[\w-]{1,64})+(?::\d+)?(?:[/?][^\s"'<>)\]]*(?<![.,;:]))?/g,
    '[address]',
  ],
  [/\barn:aws[^\s"',]*/gi, '[account]'],
  [
    /(?<![\w.])\/(?:srv|usr|home|opt|var|app|root|tmp|etc|mnt|workspace|data|v\d\w*)\b[\w./@-]*/g,
    '[address]',
  ],
  [/(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?/g, '[address]'],
  [/\[?\b[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){3,7}\]?(?::\d+)?/gi, '[address]'],
  [/\[?(?<![\w:])(?:[0-9a-f]{1,4}:)+(?::[0-9a-f]{1,4})+(?![\w:])\]?(?::\d+)?/gi, '[address]'],
  [/\blocalhost(?::\d+)?/gi, '[address]'],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '[id]'],
  [/\b(?=[a-f]*\d)[0-9a-f]{24,}\b/gi, '[id]'],
  [/\b(?:org|proj|user|acct|req|resp|chatcmpl|msg|cmpl|run|asst|file|key)[-_](?=\w*\d)\w{6,}/gi, '[id]'],
  [/\b(?:org|proj|acct|req)[-_]\w+/gi, '[id]'],
  [/\bprojects?[/ ]\d+/gi, '[account]'],
  [
    /\b(?:accounts|projects|organizations|workspaces|deployments|locations|publishers)\/[\w.@/-]+/gi,
    '[account]',
  ],
  [/(?<!\d)\d{12}(?!\d)/g, '[account]'],
  [/\b(?:sk-|gsk_|xai-|AIza|AKIA|ASIA)[\w*.…-]*/g, '[redacted]'],
];

/** Names of hosts and vendors. A client must not learn where its model runs. */
const VENDORS = new RegExp(
  [
    '(?:azure|openai|anthropic|google|vertex ?ai|amazon|microsoft|dashscope|cloudflare|openrouter|cerebras)[\\w-]*',
    '(?:deepinfra|siliconflow|sambanova|nvidia|fireworks|moonshot|alibaba|perplexity|replicate|ollama|vllm|groq)[\\w-]*',
    '(?:baseten|novita|nebius|databricks|snowflake|watsonx|featherless|parasail|scaleway|litellm)[\\w-]*',
    '\\b(?:bedrock|aws|cohere|vertex|x\\.ai|xai|z\\.ai|zai|minimax(?!-?m\\d)|hugging ?face|lm studio|sglang|workers ai|ai21)\\b',
    '\\bTogether(?: ?AI|\\.ai)\\b',
    '\\btogether\\.ai\\b',
    'llama\\.cpp',
    '\\bcf-ray\\b',
  ].join('|'),
  'gi',
);

/** Names of models. The client knows its model by another one. */
const MODELS = new RegExp(
  `(?:[\\w.-]{1,40}/)?\\b(?:${[
    'chatgpt|gpt|claude|gemini|gemma|llama|mi[sx]tral|codestral|deepseek|qwen|qwq|grok|kimi|glm',
    'command-r|phi-\\d|nova-(?:micro|lite|pro)|nemotron|sonar-|jamba|ernie|hunyuan|doubao|minimax-?m\\d|dbrx',
    'o[1-9](?:-mini|-pro|-preview)?(?![\\w/:])',
  ].join('|')})(?:[.:@/-]?\\w+)*`,
  'gi',
);

/** A host without a domain, with its port: `gpu-7:8000`. */
const PORT = /(?<![\w.])(?=[a-z\d-]*[-\d])[a-z][a-z\d-]*:\d{4,5}(?!\w)/gi;

export type ScrubTerms = {
  target: Scrubbed;
  /** The public id of the model. */
  model: string;
  providers: Providers;
  /** The client's own body. */
  body: Readonly<Record<string, unknown>>;
};

/**
 * Removes from an upstream's message what clients must not see: keys, addresses, accounts, names of hosts and
 * vendors, and the upstream's name for the model, which becomes `model`. The result is undefined if nothing
 * is left that would help, or if the text is a page or a stack.
 */
export function scrubReason(
  message: string,
  { target, model, providers, body }: ScrubTerms,
): string | undefined {
  if (/^\s*(?:[<{[]|data:|event:)|traceback|\bFile "|^\s+at .+:\d+/im.test(message)) return undefined;
  const withoutNames = providerScrubber(providers);
  const shapes = new HostShapes(body, (text) => withoutNames(text) !== text);
  let text = withoutKeys(shortened(message).replace(MARKS, ''), target.provider);
  text = text.replace(UNPRINTABLE, ' ').replace(CONTROLS, ' ');
  for (const name of namesOf(target.upstreamModel)) text = replaceName(text, name, MODEL);
  text = shapes.remove(text);
  for (const [name, instead] of providerNames(target)) text = replaceName(text, name, instead);
  text = withoutNames(text);
  for (const [pattern, instead] of PRIVATE) text = text.replace(pattern, instead);
  text = text.replace(VENDORS, 'the provider').replace(MODELS, 'the model').replace(PORT, '[address]');
  text = tidy(shapes.restore(text).replaceAll(MODEL, model));
  return /\p{L}{3}/u.test(text.replace(/\[\w+\]|the (provider|model)/g, '')) ? text : undefined;
}

/** Returns the upstream's model name, also without its folder or region and with a date. */
function namesOf(upstreamModel: string): string[] {
  const last = upstreamModel.slice(upstreamModel.lastIndexOf('/') + 1);
  return [upstreamModel, ...(last.length >= 4 ? [last] : [])].filter((name) => name !== '');
}

function providerNames({ provider: { id, baseUrl }, upstreamModel }: Scrubbed): [string, string][] {
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
 * An operator's provider and its models often begin with the name of the operator's
 * account: `acme-eu`, `acme-small`.
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

const MAX_CHARACTERS = 1_000;
/** The patterns take longer for longer texts, and a text may quote the client. */
const MAX_READ = 1_500;

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
