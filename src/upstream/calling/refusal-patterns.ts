import { refusableMembers } from './refusable-members.ts';

const memberNames = refusableMembers
  .toSorted((one, other) => other.length - one.length)
  .map((name) => name.replaceAll('.', '\\.'))
  .join('|');
const member = `['"\`]?(?<member>(?:[A-Za-z_]+\\.)*?(?:${memberNames}))['"\`]?`;
const isRefused =
  '(?:unsupported|deprecated|unknown|unrecognized|(?:is |are |does )?not (?:supported|permitted|allowed|available)|extra (?:inputs|fields) (?:are )?not (?:permitted|allowed))';

/**
 * The errors that refuse a member, by the hosts that send them. An error begins with the member, or names it
 * after the kind of the refusal. A text that quotes a request further on does not match.
 */
export const refusalPatterns: readonly RegExp[] = [
  // Anthropic, and hosts that validate with pydantic.
  new RegExp(`^${member}(?::| (?:parameter|field|value))? ?(?:is|are|was)? ?${isRefused}\\b`, 'i'),
  // OpenAI and Azure.
  new RegExp(
    `^(?:unsupported|unknown|unrecognized|unexpected|unpermitted) (?:parameter|argument|field|name|key|request argument(?: supplied)?|value)s?:? ${member}(?![\\w.])`,
    'i',
  ),
  // Google.
  new RegExp(`^Invalid JSON payload received\\. Unknown name ${member}`, 'i'),
  // xAI.
  new RegExp(
    `^(?:Argument not supported on this model: |Model \\S{1,100} does not support parameter )${member}`,
    'i',
  ),
  // Amazon Bedrock.
  new RegExp(`^Malformed input request: #: extraneous key \\[${member}\\] is not permitted`, 'i'),
  // Moonshot accepts only the default: https://platform.kimi.ai/docs/api/models-overview.
  new RegExp(`^invalid ${member}: only [\\d.]+ is allowed for this model`, 'i'),
];
