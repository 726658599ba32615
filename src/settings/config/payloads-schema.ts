import type { Static } from 'typebox';
import { Type } from '../../base/schema/type.ts';
import type { DeepReadonly } from './deep-readonly.ts';
import { row, section } from './schema-parts.ts';

const RedactionSchema = row(
  {
    pattern: Type.String({
      minLength: 1,
      maxLength: 1_000,
      description: 'A JavaScript regular expression. It is applied with the flags g and u.',
    }),
    replacement: Type.String({ maxLength: 200, default: '[redacted]', description: 'Replaces each match.' }),
  },
  {},
);

export const PayloadsSchema = section(
  {
    kept_s: Type.Integer({
      default: 604_800,
      minimum: 60,
      description: 'Seconds that the content of a request is kept.',
    }),
    max_kb: Type.Integer({
      default: 64,
      minimum: 1,
      maximum: 1_024,
      description: 'The most that is kept of a request, and of its answer.',
    }),
    max_requests: Type.Integer({
      default: 10_000,
      minimum: 1,
      maximum: 1_000_000,
      description:
        'The most requests of an account whose content is kept. Each process removes the oldest once for a hundredth that it adds, so each further process can exceed the number by a hundredth.',
    }),
    redact: Type.Array(RedactionSchema, {
      default: [],
      maxItems: 50,
      description: 'Rules for what is removed before content is stored. Keys are always removed.',
    }),
  },
  { description: 'The content of requests of the accounts for which an operator turned payload logging on.' },
);

export type PayloadsConfig = DeepReadonly<Static<typeof PayloadsSchema>>;
