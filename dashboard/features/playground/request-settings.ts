import type { PlaygroundModel, PlaygroundOptions } from '../../../src/console/dashboard/playground-schema.ts';
import { parseDecimal } from '../../components/parse-decimal.ts';
import { dialectOf, type PlaygroundDialect } from './dialects.ts';
import { fitting } from './fitting.ts';
import { readSchema } from './read-schema.ts';
import { readTools, type ToolDefinition } from './read-tools.ts';
import type { Settings } from './settings.ts';

/** The parts of the next request that the settings of the page decide. */
export type RequestSettings = {
  /** The settings that the model supports. */
  settings: Settings;
  /** Undefined if the catalog does not have the chosen model. */
  model: PlaygroundModel | undefined;
  dialect: PlaygroundDialect;
  tools: readonly ToolDefinition[];
  faults: { tools: string | undefined; schema: string | undefined; temperature: string | undefined };
  /** The name of the header by which purchased credit pays. */
  paymentHeader: string | null;
};

/** Reads the settings of the page for its next request. */
export function requestSettings(options: PlaygroundOptions, chosen: Settings): RequestSettings {
  const model = options.models.find(({ id }) => id === chosen.model);
  const settings = fitting(chosen, model);
  const readToolList = readTools(settings.tools);
  const readAnswerSchema = readSchema(settings.schema);
  return {
    settings,
    model,
    dialect: dialectOf(settings.dialect),
    tools: 'tools' in readToolList ? readToolList.tools : [],
    faults: {
      tools: faultOf(readToolList),
      schema: faultOf(readAnswerSchema),
      temperature: faultOfNumber(settings.temperature),
    },
    paymentHeader: settings.payAsYouGo ? options.headers.payment_mode : null,
  };
}

const faultOfNumber = (text: string): string | undefined =>
  text.trim() === '' || parseDecimal(text) !== undefined ? undefined : 'Enter a number like 0.5.';

const faultOf = (read: object): string | undefined => ('fault' in read ? String(read.fault) : undefined);
