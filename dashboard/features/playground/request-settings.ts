import type { PlaygroundModel, PlaygroundOptions } from '../../../src/console/dashboard/playground-schema.ts';
import { schemaFault } from './answer-schema.ts';
import { dialectOf, type PlaygroundDialect } from './dialects.ts';
import { fitting } from './fitting.ts';
import { readTools, type ToolDefinition } from './read-tools.ts';
import type { Settings } from './settings.ts';

/** The parts of the next request that the settings of the page decide. */
export type RequestSettings = {
  /** The settings that the model supports. */
  settings: Settings;
  /** It is undefined if the catalog has no such model. */
  model: PlaygroundModel | undefined;
  dialect: PlaygroundDialect;
  tools: readonly ToolDefinition[];
  faults: { tools: string | undefined; schema: string | undefined };
  /** The name of the header by which purchased credit pays. */
  paymentHeader: string | null;
};

/** Reads the settings of the page for its next request. */
export function requestSettings(options: PlaygroundOptions, chosen: Settings): RequestSettings {
  const model = options.models.find(({ id }) => id === chosen.model);
  const settings = fitting(chosen, model);
  const read = readTools(settings.tools);
  return {
    settings,
    model,
    dialect: dialectOf(settings.dialect),
    tools: 'tools' in read ? read.tools : [],
    faults: { tools: 'fault' in read ? read.fault : undefined, schema: schemaFault(settings.schema) },
    paymentHeader: settings.payAsYouGo ? options.headers.payment_mode : null,
  };
}
