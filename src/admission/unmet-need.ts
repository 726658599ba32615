import type { Need, NeedFinders, NeedPlace } from '../canonical/need.ts';
import type { Model } from '../catalog/model.ts';
import type { ErrorCode } from '../errors/catalogue.ts';
import { Refusal } from '../errors/refusal.ts';

type Row = {
  need: Need;
  /** Undefined: it depends on what the request says. */
  has: (model: Model) => boolean | undefined;
  honours?: (model: Model, value: string) => boolean;
  code: ErrorCode;
  problem: (value: string) => string;
};

const honours = (parameter: string) => (model: Model) => model.supportedParameters.includes(parameter);

/** Which models meet which need, in the order in which several that are not met are reported. */
const rows: readonly Row[] = [
  {
    need: 'vision',
    has: ({ capabilities }) => capabilities.vision,
    code: 'invalid_request',
    problem: () => 'takes no images',
  },
  {
    need: 'documents',
    has: ({ capabilities }) => capabilities.documents,
    code: 'invalid_request',
    problem: () => 'takes no documents',
  },
  {
    need: 'forced-tool-choice',
    has: honours('forced_tool_choice'),
    code: 'route_not_qualified',
    problem: () => 'cannot be made to call a tool',
  },
  {
    need: 'tools',
    has: ({ capabilities }) => capabilities.tools,
    code: 'route_not_qualified',
    problem: () => 'calls no tools',
  },
  {
    need: 'strict-format',
    has: honours('response_format'),
    code: 'route_not_qualified',
    problem: () => 'cannot promise an answer of this form',
  },
  {
    need: 'effort',
    has: () => undefined,
    honours: ({ capabilities, reasoningEfforts }, effort) =>
      reasoningEfforts.includes(effort) || (effort === 'none' && !capabilities.reasoning),
    code: 'route_not_qualified',
    problem: (effort) => `does not take the effort ${JSON.stringify(effort.slice(0, MAX_SHOWN))}`,
  },
];

const MAX_SHOWN = 40;

export type Asking = { body: Readonly<Record<string, unknown>>; needs: NeedFinders };

/** The first thing that the request asks for and the model has not got; nobody looks for what it has. */
export function unmetNeed(model: Model, asking: Asking): Refusal | undefined {
  for (const row of rows) {
    if (row.has(model) === true) continue;
    const place = asking.needs[row.need]?.(asking.body);
    if (place && !isMet(row, model, place)) return refusal(row, model, place);
  }
  return undefined;
}

const isMet = (row: Row, model: Model, { value = '' }: NeedPlace): boolean =>
  row.honours?.(model, value) ?? false;

const refusal = ({ code, problem }: Row, { id }: Model, { path, value = '' }: NeedPlace): Refusal =>
  new Refusal(code, { param: path, message: `${path}: ${id} ${problem(value)}` });
